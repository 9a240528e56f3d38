#!/bin/sh
# Makes chcverify.zip in the current directory: sources, dependencies for the Python that PYTHON names, bin/chcverify,
# licence, README and smoke test, in one folder `chcverify`. The archive runs with the same version of Python.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
target=$(pwd)/chcverify.zip
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m pip install --quiet --target "$folder/chcverify/lib" "$root"
mkdir "$folder/chcverify/bin"
cp "$root/LICENSE" "$root/README.md" "$root/check_certificate.py" "$root/competition/smoketest.sh" "$folder/chcverify"
cat >"$folder/chcverify/bin/chcverify" <<'END'
#!/bin/sh
lib=$(cd "$(dirname "$0")/../lib" && pwd)
PYTHONPATH="$lib" exec "${PYTHON:-python3}" -m chcverify "$@"
END
chmod +x "$folder/chcverify/bin/chcverify"
rm -f "$target"
(cd "$folder" && "$python" -m zipfile -c "$target" chcverify)
echo "$target"
