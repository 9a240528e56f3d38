"use strict";
// Walks the error path: the step, the values after it, its line in the source and its box in the graphs.
(() => {
  const { steps, frames } = JSON.parse(document.getElementById("data").textContent);
  const stepper = document.getElementById("stepper");
  if (!steps || !stepper) return;
  const list = document.querySelectorAll(".steps > li");
  const range = stepper.querySelector("input");
  const counter = stepper.querySelector("output");
  const now = stepper.querySelector(".now");
  const state = stepper.querySelector(".state tbody");
  const boxes = [...document.querySelectorAll(".node[data-places]")];
  const last = steps.length - 1;
  let current = 0;
  let marked = [];

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  // Values of each frame after `step`: frame -> name -> value, and what the step itself changed.
  const valuesAfter = (step) => {
    const values = new Map();
    for (let i = 0; i <= step; i++) {
      for (const [frame, name, value] of steps[i][6]) {
        if (!values.has(frame)) values.set(frame, new Map());
        values.get(frame).set(name, value);
      }
    }
    return values;
  };

  const showState = (step) => {
    const values = valuesAfter(step);
    const changed = new Set(steps[step][6].map(([frame, name]) => frame + " " + name));
    const rows = [];
    for (let frame = steps[step][5]; frame >= 0; frame = frames[frame][1]) {
      const own = values.get(frame);
      if (!own) continue;
      const head = element("tr", "");
      const title = element("th", frames[frame][0], "frame");
      title.colSpan = 2;
      title.scope = "rowgroup";
      head.append(title);
      rows.push(head);
      for (const [name, value] of own) {
        const row = element("tr", "", changed.has(frame + " " + name) ? "changed" : "");
        const label = element("th", "");
        label.scope = "row";
        label.append(element("code", name));
        const cell = element("td", "");
        cell.append(element("code", value, "values"));
        row.append(label, cell);
        rows.push(row);
      }
      if (frame > 0 && rows.length > 200) break;
    }
    state.replaceChildren(...rows);
  };

  const within = (container, item) => {
    const top = item.offsetTop - container.offsetTop * (item.offsetParent !== container);
    if (top < container.scrollTop || top + item.offsetHeight > container.scrollTop + container.clientHeight)
      container.scrollTop = top - container.clientHeight / 2;
  };

  const show = (step) => {
    current = Math.min(last, Math.max(0, step));
    const [file, line, name, kind, text] = steps[current];
    marked.forEach((item) => item.classList.remove("current"));
    marked = [list[current]];
    list.forEach((item) => item.removeAttribute("aria-current"));
    list[current].setAttribute("aria-current", "step");
    within(list[current].parentElement, list[current]);
    const place = document.getElementById("line-" + file + "-" + line);
    if (place) {
      marked.push(place);
      place.closest("details")?.setAttribute("open", "");
      within(place.closest(".code"), place);
    }
    if (file === 0) marked.push(...boxes.filter((box) => box.dataset.places.split(" ").includes(String(line))));
    marked.forEach((item) => item.classList.add("current"));
    range.value = String(current);
    counter.value = current + 1 + " of " + steps.length;
    const what = element("code", text, kind === "violation" ? "bad" : "");
    const where = file < 0 ? "line " + line + " of code that is not shown, in " : "line " + line + " in ";
    now.replaceChildren(where + name + ": ", what, kind === "violation" ? " is the violation" : "");
    showState(current);
    for (const button of stepper.querySelectorAll("button"))
      button.disabled = ["first", "previous"].includes(button.dataset.go) ? current === 0 : current === last;
  };

  const go = { first: () => 0, previous: () => current - 1, next: () => current + 1, last: () => last };
  const keys = { ArrowRight: "next", j: "next", ArrowLeft: "previous", k: "previous", Home: "first", End: "last" };
  const within_stepper = { ArrowDown: "next", ArrowUp: "previous" };

  stepper.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(go[button.dataset.go]());
  });
  range.addEventListener("input", () => show(Number(range.value)));
  list.forEach((item, step) => item.addEventListener("click", () => show(step)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === range) return;
    // Regions that scroll sideways keep the keys that scroll them.
    const scrolls = event.target.closest(".code, .scroll, .figure");
    const action = keys[event.key] || (stepper.contains(event.target) && within_stepper[event.key]);
    if (!action || (scrolls && !["j", "k"].includes(event.key))) return;
    event.preventDefault();
    show(go[action]());
  });
  range.max = String(last);
  stepper.hidden = false;
  show(last);
})();
