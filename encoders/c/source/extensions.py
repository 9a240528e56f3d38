"""The treatment of each attribute and pragma that gcc documents, in one table, which docs/c.md shows."""

from enum import Enum

from chcverify.quick_dataclass import dataclass


class Treatment(Enum):
    """The treatment of an extension by the front end."""

    MODELLED = "modelled"
    HARMLESS = "harmless"  # without influence on what a program computes
    REFUSED = "refused"  # `unknown`, where the declaration is used
    REFUSED_EVERYWHERE = "refused everywhere"  # has an effect that no use shows: `unknown`, wherever it occurs


@dataclass(frozen=True)
class Extension:
    """One attribute or pragma. name: without underscores at both ends; of a pragma, its first words."""

    name: str
    treatment: Treatment
    reason: str


def _all(treatment: Treatment, reason: str, names: str) -> list[Extension]:
    return [Extension(name.replace("~", " "), treatment, reason) for name in names.split()]


_ATTRIBUTES = [
    *_all(Treatment.MODELLED, "layout and types", "aligned packed mode transparent_union"),
    *_all(Treatment.MODELLED, "end of a path where the function has no body", "noreturn"),
    *_all(
        Treatment.MODELLED,
        "which symbol is meant; refused where that is not known",
        "alias weak weakref ifunc gnu_inline",
    ),
    *_all(Treatment.HARMLESS, "the layout that is modelled", "gcc_struct designated_init warn_if_not_aligned"),
    *_all(
        Treatment.HARMLESS,
        "warnings and diagnostics",
        "deprecated unavailable unused maybe_unused nodiscard warn_unused_result fallthrough format format_arg nonnull "
        "nonstring sentinel error warning access null_terminated_string_arg fd_arg fd_arg_read fd_arg_write "
        "tainted_args counted_by strict_flex_array returns_nonnull flag_enum",
    ),
    *_all(
        Treatment.HARMLESS,
        "optimisation and code generation",
        "always_inline artificial cold hot const pure leaf nothrow flatten noinline noclone noipa "
        "no_reorder no_icf optimize target target_clones malloc alloc_size alloc_align assume_aligned may_alias "
        "simd stack_protect no_stack_protector no_stack_limit no_split_stack no_instrument_function "
        "no_profile_instrument_function patchable_function_entry no_sanitize no_sanitize_address "
        "no_sanitize_thread no_sanitize_undefined no_sanitize_coverage no_address_safety_analysis "
        "zero_call_used_regs uninitialized expected_throw unsequenced reproducible",
    ),
    *_all(
        Treatment.HARMLESS,
        "calling conventions: calls are matched with their definitions",
        "cdecl stdcall fastcall thiscall regparm sseregparm ms_abi sysv_abi force_align_arg_pointer "
        "ms_hook_prologue noplt nocf_check cf_check indirect_branch indirect_return function_return "
        "fentry_name fentry_section no_caller_saved_registers callee_pop_aggregate_return nodirect_extern_access",
    ),
    *_all(
        Treatment.HARMLESS,
        "sections and linkage of a single program",
        "section common nocommon used retain visibility externally_visible tls_model dllexport symver model",
    ),
    *_all(Treatment.REFUSED_EVERYWHERE, "runs before or after main", "constructor destructor init_priority"),
    *_all(Treatment.REFUSED, "another symbol's meaning", "copy dllimport"),
    *_all(Treatment.REFUSED, "another layout or type", "ms_struct vector_size scalar_storage_order hardbool"),
    *_all(Treatment.REFUSED, "runs at the end of a block", "cleanup"),
    *_all(Treatment.REFUSED, "control flow or memory that is not modelled",
          "returns_twice naked interrupt noinit persistent assume musttail nonlocal_goto"),
]  # fmt: skip

_PRAGMAS = [
    *_all(Treatment.MODELLED, "layout", "pack"),
    *_all(Treatment.REFUSED_EVERYWHERE, "another layout", "scalar_storage_order"),
    *_all(Treatment.REFUSED_EVERYWHERE, "another symbol's meaning", "weak redefine_extname"),
    *_all(
        Treatment.HARMLESS,
        "the preprocessor's, or warnings",
        "once push_macro pop_macro message GCC~diagnostic GCC~system_header GCC~poison GCC~dependency GCC~warning "
        "GCC~error GCC~pch_preprocess region endregion mark",
    ),
    *_all(
        Treatment.HARMLESS,
        "optimisation and code generation",
        "GCC~optimize GCC~target GCC~push_options GCC~pop_options GCC~reset_options GCC~ivdep GCC~unroll GCC~novector "
        "GCC~visibility omp acc STDC~FP_CONTRACT STDC~CX_LIMITED_RANGE",
    ),
]

ATTRIBUTES = {extension.name: extension for extension in _ATTRIBUTES}
PRAGMAS = {extension.name: extension for extension in _PRAGMAS}


def attribute_treatment(name: str) -> Treatment:
    """The treatment of an attribute; one that no compiler documents is refused."""
    known = ATTRIBUTES.get(name)
    return known.treatment if known is not None else Treatment.REFUSED


def pragma_treatment(text: str) -> Treatment:
    """The treatment of a pragma, from the text after the word `pragma`; gcc ignores those that it does not have."""
    words = text.replace("(", " ").split()
    for length in (2, 1):
        known = PRAGMAS.get(" ".join(words[:length]))
        if known is not None:
            return known.treatment
    return Treatment.HARMLESS
