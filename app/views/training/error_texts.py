"""Sentences of the model's side that reach a page: as they are raised there, and as said here.

A name in braces stands for what fills it; a `{why}` may be such a sentence itself.
"""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

COMPLAINTS: Final[Mapping[str, str]] = {
    # Settings that do not fit together.
    "{field} must be a multiple of n_heads ({heads}), not {value}.": N_(
        "{value} cannot be shared out among {heads} heads: choose a multiple of {heads}."
    ),
    "{field} must be even, for sine and cosine pairs, not {value}.": N_(
        "{value} is odd, but positions are pairs of sine and cosine: choose an even number."
    ),
    "{field} must be a positive whole number, not {value}.": N_(
        "{value} is too small: choose a whole number of at least 1."
    ),
    "{field} must be at most {most}, not {value}.": N_("{value} is too large: at most {most}."),
    "{field} must be at least 0 and below 1, not {value}.": N_(
        "{value} does not work: choose at least 0 and less than 1."
    ),
    "{field} must be above 0, not {value}.": N_("{value} does not work: choose more than 0."),
    "warmup of {warmup} steps does not fit into a run of {steps}.": N_(
        "{warmup} steps of warm-up do not fit into a run of {steps} steps."
    ),
    # Lines of a list of pairs, and the list.
    "it is not UTF-8 text": N_("it is not UTF-8 text"),
    "it is blank": N_("it is blank"),
    "it has {count} columns instead of 2 (or 3 with an attribution)": N_(
        "it has {count} columns instead of 2 (or 3)"
    ),
    "one of its sentences is blank": N_("one of its sentences is blank"),
    "only the first {most} lines are read": N_("only the first {most} lines are read"),
    "a sentence is longer than {most} characters": N_(
        "a sentence is longer than {most} characters"
    ),
    "{path} cannot be read: {why}.": N_("{path} cannot be read: {why}."),
    "{path} holds no sentence pair (line {line}: {why}).": N_(
        "{path} holds no sentence pair (line {line}: {why})."
    ),
    "{path} holds no sentence pair.": N_("{path} holds no sentence pair."),
    "No sentence pair has fewer than {most} tokens.": N_(
        "No sentence pair has fewer than {most} tokens: give shorter ones."
    ),
    "A vocabulary needs at least {least} pieces, not {value}.": N_(
        "A vocabulary needs at least {least} pieces, not {value}."
    ),
    "There is no task {name}, only {names}.": N_(
        "This run has no pairs to train on: they did not come along with its model."
    ),
    # Runs, and their folders.
    "A name is made of letters, digits, blanks, hyphens and underscores.": N_(
        "A name is made of letters, digits, blanks, hyphens and underscores."
    ),
    "A name has at most {most} characters.": N_("A name has at most {most} characters."),
    "There is already a run {name}: choose another name.": N_(
        "There is already a run {name}: choose another name."
    ),
    "There is no run {name}.": N_("There is no run {name}."),
    "The run {name} is still alive: stop it first.": N_(
        "The run {name} is still alive: stop it first."
    ),
    "The run {name} is already under way.": N_("The run {name} is already under way."),
    "The run cannot be written: {why}.": N_("The run cannot be written: {why}."),
    "The run cannot be deleted: {why}.": N_("The run cannot be deleted: {why}."),
    "The pairs of the run {name} are no longer there.": N_(
        "The pairs of the run {name} are no longer there."
    ),
    "This is no plan of a run: {why}.": N_("What this run was asked to do cannot be read: {why}."),
    # Training.
    "The loss was not finite {count} steps in a row, the last at step {step}: lower the learning "
    "rate.": N_(
        "The loss was not finite {count} steps in a row, the last at step {step}: lower the "
        "learning rate."
    ),
    "The trainer broke off by an error of its own: {what}": N_(
        "The trainer broke off by an error of its own, which its log has in full: {what}"
    ),
    # Models on the disk.
    "There is no model {name}; pretrained models: {names}.": N_("There is no model {name}."),
    "The model could not be saved in {folder}: {why}; what was saved before is intact.": N_(
        "The model could not be saved in {folder}: {why}; what was saved before is intact."
    ),
    "{folder} was written by another version of this project.": N_(
        "{folder} was written by another version of this project."
    ),
    "{folder} does not hold a model of this project.": N_(
        "{folder} does not hold a model of this project."
    ),
    "{folder} is not complete: {file} is missing.": N_(
        "{folder} is not complete: {file} is missing."
    ),
    "{file} is damaged: its checksum differs.": N_("{file} is damaged: its checksum differs."),
    "The tokenizer in {folder} belongs to another model.": N_(
        "The tokenizer in {folder} belongs to another model."
    ),
    "The weights in {file} do not fit its configuration.": N_(
        "The weights in {file} do not fit its configuration."
    ),
    "{folder} holds no training that could be resumed.": N_(
        "{folder} holds no training that could be resumed."
    ),
    # What the system says.
    "Error while serializing: I/O error: {why} (os error {number})": "{why}",
    "No space left on device": N_("no space is left on the disk"),
    "Disk quota exceeded": N_("the disk's quota is used up"),
    "Permission denied": N_("the permission is missing"),
    "Read-only file system": N_("the disk can only be read"),
}
