"""Errors that users can fix, as codes: one table has the text of each, and pages translate it."""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final


def N_(message: str) -> str:  # noqa: N802 - gettext's own name, which extractors look for
    """Mark a text for translation by the pages, and return it unchanged."""
    return message


# A `{why}` is filled in with another error.
MESSAGES: Final[Mapping[str, str]] = {
    # Settings.
    "not_multiple": N_(
        "{value} cannot be shared out among {heads} heads: choose a multiple of {heads}."
    ),
    "odd": N_("{value} is odd, but positions are pairs of sine and cosine: choose an even number."),
    "too_small": N_("{value} is too small: choose a whole number of at least 1."),
    "too_large": N_("{value} is too large: at most {most}."),
    "not_a_share": N_("{value} does not work: choose at least 0 and less than 1."),
    "not_above_0": N_("{value} does not work: choose more than 0."),
    "negative": N_("{value} does not work: choose at least 0."),
    "out_of_range": N_("{value} does not work: choose {low} to {most}."),
    "infinite": N_("{value} does not work: choose a finite number."),
    "not_one_of": N_("{value} does not work: choose one of {names}."),
    "not_for_arch": N_("The architecture {arch} has no use for it."),
    "one_for_arch": N_("{value} does not work: the architecture {arch} has exactly 1."),
    "not_in_vocabulary": N_("{value} is not in the vocabulary."),
    "vocabularies_differ": N_(
        "{value} does not work: shared embeddings need vocabularies of the same size."
    ),
    "unknown_setting": N_("There is no setting {name}."),
    "settings_missing": N_("Settings are missing: {what}."),
    "odd_value": N_("The value of {name} makes no sense."),
    "beyond_form": N_("{name} is {value}: at most {most} is allowed here."),
    "warmup_too_long": N_("{warmup} steps of warm-up do not fit into a run of {steps} steps."),
    # Sentence pairs.
    "not_utf8": N_("it is not UTF-8 text"),
    "blank_line": N_("it is blank"),
    "columns": N_("it has {count} columns instead of 2 (or 3)"),
    "blank_sentence": N_("one of its sentences is blank"),
    "long_sentence": N_("a sentence is longer than {most} characters"),
    "too_many_lines": N_("only the first {most} lines are read"),
    "unreadable": N_("{path} cannot be read: {why}."),
    "no_pair": N_("{path} holds no sentence pair."),
    "no_pair_because": N_("{path} holds no sentence pair (line {line}: {why})."),
    "too_few_pairs": N_("Usable pairs: {count}. Training needs at least {least}."),
    "pairs_too_long": N_("No sentence pair has fewer than {most} tokens: give shorter ones."),
    "small_vocabulary": N_("A vocabulary needs at least {least} tokens, not {value}."),
    "no_pairs": N_("This run has no pairs to train on: they did not come with its model."),
    # Runs.
    "bad_name": N_(
        "“{name}” cannot be a name: use letters, digits, spaces, hyphens and underscores, at most "
        "{most}, and no name that a system keeps for itself."
    ),
    "name_taken": N_("There is already a run “{name}”: choose another name."),
    "no_run": N_("There is no run {name}."),
    "alive": N_("The run {name} is still going: stop it first."),
    "own_alive": N_("Your run {name} is still going: stop it to start another."),
    "under_way": N_("The run {name} is already under way."),
    "run_not_started": N_("The training could not be started: {why}."),
    "run_not_written": N_("The run cannot be written: {why}."),
    "run_not_renamed": N_("The run cannot be renamed: {why}."),
    "run_not_deleted": N_("The run cannot be deleted: {why}."),
    "pairs_gone": N_("The pairs of the run {name} are no longer there."),
    "other_settings": N_(
        "This run was trained with other settings ({what}): go on with the same ones, or begin a "
        "new run."
    ),
    "odd_status": N_("Its {file} has values that make no sense: {names}."),
    "bad_plan": N_("What this run was asked to do cannot be read: {why}."),
    "out_of_memory": N_(
        "This model would need about {needed:.1f} GB of memory to train, and the machine has "
        "{machine:.1f} GB: choose a smaller one, or fewer tokens in a batch."
    ),
    "memory_held": N_(
        "This model would need about {needed:.1f} GB of memory to train, and other runs hold about "
        "{held:.1f} GB of this machine's {machine:.1f} GB: wait until they end, or choose a "
        "smaller one."
    ),
    "waits_for_space": N_(
        "Training is waiting: {why}. It goes on by itself as soon as there is space again."
    ),
    "not_finite": N_(
        "The loss was not finite for {count} steps in a row, the last at step {step}: lower "
        "the learning rate."
    ),
    "broke_off": N_("Training stopped with an internal error, which its log has in full: {what}"),
    # What a server refuses its visitors.
    "exhibit": N_("This is an exhibit: nothing is trained, loaded, renamed or deleted here."),
    "no_cookie": N_(
        "Your browser sent no cookie, so nothing of yours can be kept: allow cookies here, and "
        "load the page again."
    ),
    "server_full": N_(
        "This server keeps the work of {most} visitors at most, and there is no room for more: "
        "come back tomorrow."
    ),
    "network_full": N_(
        "Your network keeps the work of {most} visitors here, and there is no room for more: come "
        "back tomorrow."
    ),
    "over_network_disk": N_(
        "The runs and models of your network would take up {held:.0f} MB here, and at most {most} "
        "MB are allowed: delete some, then try again."
    ),
    "over_server_disk": N_(
        "This server has no room left for runs and models: delete some of yours, or come back "
        "tomorrow."
    ),
    "over_disk": N_(
        "Your runs and models would take up {held:.0f} MB, and at most {most} MB are yours here: "
        "delete some, then try again."
    ),
    "over_runs": N_(
        "At most {most} runs can be started together here: start fewer now, and the rest when "
        "those have ended."
    ),
    "over_parameters": N_(
        "This model would have {value:.1f} M parameters, and at most {most:.1f} M are allowed "
        "here: choose a smaller one."
    ),
    "over_minutes": N_(
        "This training run would take about {value:.0f} minutes, and at most {most} are "
        "allowed here: choose fewer steps."
    ),
    # Models on the disk.
    "no_model": N_("There is no model {name}."),
    "model_not_saved": N_(
        "The model could not be saved in {folder}: {why}; what was saved before is intact."
    ),
    "model_name_taken": N_("There is already a model “{name}”: choose another name."),
    "model_not_renamed": N_("The model cannot be renamed: {why}."),
    "model_not_deleted": N_("The model cannot be deleted: {why}."),
    "model_not_kept": N_("The model could not be kept: {why}."),
    "other_version": N_("{folder} was written by another version of this project."),
    "not_a_model": N_("{folder} does not hold a model of this project."),
    "file_missing": N_("{folder} is not complete: {file} is missing."),
    "damaged": N_("{file} is damaged: its checksum differs."),
    "other_tokenizer": N_("The tokenizer in {folder} belongs to another model."),
    "other_weights": N_(
        "The weights in {file} do not fit its configuration. Missing: {missing}. Not of this "
        "model: {foreign}. Of another shape: {reshaped}."
    ),
    "too_few_weights": N_(
        "The weights in {file} do not fit its configuration, which asks for {claimed} numbers "
        "instead of {count}."
    ),
    "weights_type": N_("{name} in {file} is stored as {dtype}; weights are {dtypes}."),
    "weights_not_finite": N_("The weights in {file} hold numbers that are not finite: {name}."),
    "no_state": N_("{folder} holds no training run to resume."),
    # Marian models of other makers.
    "not_trained_on": N_("{name} was imported: it can be explored, but not trained further."),
    "no_folder": N_("There is no folder {folder}."),
    "marian_file_missing": N_("The model has no file {name}."),
    "marian_too_large": N_("{name} is larger than in any model."),
    "marian_unreadable": N_("{name} is damaged, cut off, or another kind of file."),
    "link_leads_out": N_("{name} is a link out of the model's folder: copy the file itself there."),
    "other_architecture": N_(
        "The model is of the kind “{name}”; only “marian” can be imported. The page “Open a trace” "
        "shows the attention of any model."
    ),
    "marian_setting": N_("The model cannot be imported due to its {name}."),
    "marian_untied": N_("These should be one table, but differ: {names}."),
    "bad_vocabulary": N_("The vocabulary lacks {what}."),
    "not_sentencepiece": N_("{name} is not a SentencePiece model, or only part of one."),
    "other_sentencepiece": N_(
        "{name} is a SentencePiece model of another kind: only unigram models of whole characters "
        "can be read."
    ),
    # Models of a hub.
    "hub_not_a_name": N_(
        "“{name}” is not the name of a model on a hub: such a name looks like "
        "Helsinki-NLP/opus-mt-de-en."
    ),
    "hub_not_allowed": N_("{name} may not be fetched here: the names allowed are {patterns}."),
    "hub_offline": N_(
        "HF_HUB_OFFLINE is set, so nothing is fetched: unset it, or import files that you have."
    ),
    "hub_unreachable": N_(
        "{hub} cannot be reached: check the network; if the way out is a proxy, name it in "
        "HTTPS_PROXY."
    ),
    "hub_proxy": N_("The proxy {proxy} lets nothing through ({why}): check HTTPS_PROXY."),
    "hub_certificate": N_(
        "The certificate of {hub} is signed by an authority this machine does not know: if "
        "your firewall does that, name its certificate file in SSL_CERT_FILE."
    ),
    "hub_unknown": N_(
        "{hub} has no model {name} that everybody may read: check the name; for a private model, "
        "put a token that may read it into HF_TOKEN."
    ),
    "hub_gated": N_(
        "{name} is given only to people who have accepted its terms: do so at {hub}/{name}, "
        "and put your token into HF_TOKEN."
    ),
    "hub_refused": N_("{hub} answered {answer} instead of the model: try again later."),
    "hub_silent": N_("The hub did not answer within {seconds} seconds: try again later."),
    "hub_stalled": N_(
        "Nothing came for {seconds} seconds, twice: try again later; what came is kept."
    ),
    "hub_broke_off": N_("The connection to {hub} broke, twice: try again; what came is kept."),
    "hub_damaged": N_("{name} did not come as {hub} lists it: try again."),
    "hub_no_space": N_(
        "Fetching and importing it takes {needed:.0f} MB on the disk, and {free:.0f} MB are free: "
        "make room first."
    ),
    "fetch_not_written": N_("What is fetched cannot be written: {why}."),
    "fetch_under_way": N_("{name} is being fetched: wait for it, or stop it first."),
    "fetch_broke_off": N_("Fetching stopped with an internal error: {what}"),
    "long_piece": N_("{name} has a piece of more than {most} characters, which no model needs."),
    "long_replacement": N_(
        "{name} replaces letters with texts more than {most} times as long, which no script needs."
    ),
    # Backups.
    "backup_not_written": N_("{path} cannot be written: {why}."),
    "backup_unreadable": N_("{path} cannot be restored: {why}."),
    "not_a_backup": N_("{path} is not a backup of this project, or only part of one."),
    "backup_too_large": N_(
        "{path} would unpack to more than {most} times its size, as no backup of this project does."
    ),
    "not_empty": N_("{path} is not empty: restore a backup to an empty or new folder."),
    # Models in a zip.
    "not_a_zip": N_("This is not a zip file, or only part of one."),
    "zip_member": N_("The zip holds {what}, which is not a file of a model."),
    "zip_incomplete": N_("The zip has no {what}: zip the files of a model, not their folder."),
    "zip_too_large": N_("{what} in the zip is larger than in any model."),
    "zip_version": N_("The model was written by another version of this project."),
    "zip_not_a_model": N_("The zip holds no model of this project."),
    # The head atlas.
    "no_heads": N_("Only a Transformer has heads to measure."),
    "no_sample": N_(
        "There are no sentences to measure this model on: it was not trained on a task here, and "
        "does not say that it translates between English and Spanish or French."
    ),
    "atlas_not_written": N_("The atlas cannot be written: {why}."),
    "atlas_broke_off": N_("Measuring stopped with an internal error: {what}"),
    # Traces.
    "not_a_trace": N_("This is not a trace, or only part of one: a safetensors file is expected."),
    "trace_too_large": N_("The file is larger than a trace may be: {most} MB."),
    "trace_version": N_(
        "The trace is written in format {written}, and this version of the project reads {known}."
    ),
    "trace_arrays": N_(
        "The arrays of the trace cannot be read: it may have {most}, with one to {axes} axes, "
        "stored as {types}, and names of letters, digits, dots, hyphens and underscores."
    ),
    "trace_tokens": N_(
        "The tokens “{side}” of the trace cannot be read: a list of at most {most} texts, each of "
        "at most {longest} characters, is expected."
    ),
    "trace_shape": N_("{name} has the shape {shape}: its heads and tokens ask for {expected}."),
    "trace_weights": N_("{name} holds numbers that are not attention weights: those are 0 to 1."),
    "trace_not_numbers": N_("{name} holds something that is not a number."),
    "trace_gap": N_("The trace has {name}, but not the layer before it."),
    # Changes of a run.
    "bad_change": N_("“{what}” is not a change that a run can have."),
    "no_layer": N_(
        "There is no layer {value}: counted from 0, as in the arrays, this model has 0 to {most} "
        "there."
    ),
    "no_head": N_(
        "There is no head {value}: counted from 0, as in the arrays, this model has 0 to {most} "
        "there."
    ),
    "no_such_stage": N_("The model has no {name}, or none that can be changed."),
    "not_an_order": N_("{value} does not name each place of the sentence once."),
    "comes_later": N_("Word {row} cannot look at word {value}, which comes later."),
    "above_one": N_("The weights add up to {value}: the limit is 1."),
    "left_out": N_("The word at place {value} was left out."),
    "nothing_left": N_("Nothing would be left to look at."),
    "no_other_run": N_("There is no other run “{name}” to take numbers from."),
    "other_shape": N_("The {name} of the other run differs in size."),
    # What the system says.
    "disk_full": N_("no space is left on the disk"),
    "quota": N_("the disk's quota is used up"),
    "permission": N_("the permission is missing"),
    "read_only": N_("the disk is read-only"),
    # Only in English: what a library says, and the command line.
    "plain": "{what}",
}
OF_SYSTEM: Final[Mapping[int | None, str]] = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "quota",
    errno.EACCES: "permission",
    errno.EROFS: "read_only",
}


class UserError(ValueError):
    """An error that users can fix: a code of MESSAGES, its setting, and values for the text.

    Its own text is in English, for logs; pages and the command line word the code themselves.
    """

    def __init__(self, code: str, field: str = "", **values: Any) -> None:
        super().__init__(code, field)  # nothing else, so that it can be copied
        self.code, self.field, self.values = code, field, values

    def __str__(self) -> str:
        return f"{self.field}: {self.text}" if self.field else self.text

    @property
    def text(self) -> str:
        """The message in English, without the setting."""
        return MESSAGES[self.code].format_map(
            {name: getattr(value, "text", value) for name, value in self.values.items()}
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the error as values for JSON."""
        values = {
            name: value.to_dict() if isinstance(value, UserError) else value
            for name, value in self.values.items()
        }
        return {"code": self.code, "field": self.field, "values": values}

    @staticmethod
    def from_dict(error: Any) -> "UserError | None":
        """Read what `to_dict` wrote, or the sentence saved by older runs; None if empty."""
        if not isinstance(error, dict) or str(error.get("code")) not in MESSAGES:
            return UserError("plain", what=str(error)) if error else None
        try:
            values = {
                name: UserError.from_dict(value) if isinstance(value, dict) else value
                for name, value in error["values"].items()
            }
            built = UserError(error["code"], str(error.get("field", "")), **values)
            assert built.text
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
            # The values do not fit the text.
            return UserError("plain", what=str(error))
        return built


def reason(error: Exception) -> UserError:
    """Return the reason in an OSError, or in safetensors' wording of one."""
    number = getattr(error, "errno", None)
    if not isinstance(error, OSError) and (found := re.search(r"\(os error (\d+)\)", str(error))):
        number = int(found[1])
    if number in OF_SYSTEM:
        return UserError(OF_SYSTEM[number])
    return UserError("plain", what=os.strerror(number) if number else str(error))


def failure_of(error: Exception, not_written: str, broke_off: str) -> UserError:
    """Return an exception as a UserError: itself, or with the code for the disk or for the rest."""
    if isinstance(error, UserError):
        return error
    if isinstance(error, OSError):
        return UserError(not_written, why=reason(error))
    what = str(error).strip().split("\n")[0]
    return UserError(broke_off, what=f"{type(error).__name__}: {what}")


def is_full(error: OSError | UserError) -> bool:
    """Return whether writing failed because of a full disk or quota."""
    why = reason(error) if isinstance(error, OSError) else error.values.get("why")
    return isinstance(why, UserError) and why.code in ("disk_full", "quota")


@contextmanager
def os_errors_as(failure: UserError) -> Iterator[None]:
    """Raise `failure` in place of an OSError, whose reason becomes the `{why}` in its text."""
    try:
        yield
    except OSError as error:
        failure.values["why"] = reason(error)
        raise failure from error
