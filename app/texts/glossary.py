"""The glossary: each technical term of the pages, in one plain sentence, and where to see it.

The forms of an entry are one text, so that each language gives its own: first the term as the
glossary writes it, then all forms in which it stands in texts. A form behind "!" has another
meaning: where it stands, the term is not explained.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from app.i18n import N_, _
from app.registry import Address


@dataclass(frozen=True)
class Entry:
    """A term; `other` is the field's other word, and `pages` are those where it means this."""

    forms: str
    meaning: str
    seen: Address
    other: str = ""
    pages: tuple[str, ...] = ()  # none: all of them

    @property
    def term(self) -> str:
        """The term in the language of the interface."""
        return forms_of(self)[0]

    @property
    def english(self) -> str:
        """The field's English word, where the interface's language has another one."""
        english = self.forms.split(", ")[0]
        return "" if english == self.term else english


def forms_of(entry: Entry) -> list[str]:
    """Return all forms in the language of the interface, the term itself first."""
    return _(entry.forms).split(", ")


def alphabetical(term: str) -> str:
    """Return what a term is sorted by: its letters without accents, capitals and signs."""
    letters = unicodedata.normalize("NFD", term.casefold())
    return re.sub(r"[^a-z0-9 ]", "", letters)


# A table.
ENTRIES: Final = (
    Entry(
        N_("token, tokens"),
        N_(
            "A piece of text that the model reads or writes as one unit: a word, a part of a word,"
            " a punctuation mark, or a special sign such as <eos>."
        ),
        Address("vectors", "tokens"),
    ),
    Entry(
        N_("vocabulary, vocabularies"),
        N_(
            "The fixed list of all tokens that a model can read and write; each has a number, its "
            "id."
        ),
        Address("vectors", "tokens"),
    ),
    Entry(
        N_("id, ids"),
        N_(
            "The number of a token in the vocabulary, which names it and measures nothing; ids and "
            "positions count from 0, as in the formulas, everything else here from 1."
        ),
        Address("vectors", "row"),
        other=N_("index"),
    ),
    Entry(
        N_("byte, bytes"),
        N_(
            "A number from 0 to 255; text is stored as bytes, one for each plain English letter "
            "and two or more for others."
        ),
        Address("vectors", "picture"),
    ),
    Entry(
        N_("UTF-8"),
        N_("The usual way to write the characters of any script as bytes."),
        Address("vectors", "picture"),
    ),
    Entry(
        N_("hexadecimal"),
        N_(
            "Numbers written with sixteen digits, 0 to 9 and A to F, so that two of them are one "
            "byte."
        ),
        Address("vectors", "picture"),
        other=N_("base 16"),
    ),
    Entry(
        N_("unigram model, unigram models, unigram"),
        N_(
            "A tokenizer that knows the probability of each piece, and cuts a text into the pieces "
            "that are together the likeliest."
        ),
        Address("vectors", "tokens"),
    ),
    Entry(
        N_("BPE, byte pair encoding"),
        N_(
            "A way to choose the tokens: start from single bytes, and again and again join the two "
            "neighbours that occur together most often."
        ),
        Address("vectors", "tokens"),
        other=N_("byte pair encoding"),
    ),
    Entry(
        N_("merge, merges, merged, merging"),
        N_("One rule of BPE: wherever these two pieces stand side by side, they become one."),
        Address("vectors", "tokens"),
    ),
    Entry(
        N_("tokenizer, tokenizers"),
        N_("The program that cuts text into tokens and joins tokens to text again."),
        Address("vectors", "tokens"),
    ),
    Entry(
        N_("special token, special tokens"),
        N_(
            "A token that stands for no text but for a place, such as the beginning of a sentence,"
            " its end, or padding."
        ),
        Address("vectors", "tokens"),
        other=N_("control token"),
    ),
    Entry(
        N_("<bos>"),
        N_(
            "The special token with which every translation begins, so that the decoder has "
            "something to read before its first word."
        ),
        Address("decoding", "loop"),
        other=N_("beginning of sentence, start token"),
    ),
    Entry(
        N_("<eos>"),
        N_(
            "The special token that ends a sentence: once the decoder has written it, the "
            "translation is complete."
        ),
        Address("decoding", "loop"),
        other=N_("end of sentence, stop token"),
    ),
    Entry(
        N_("<pad>"),
        N_(
            "The special token that fills up the shorter sentences of a batch; it means nothing, "
            "and a mask keeps it from being looked at."
        ),
        Address("vectors", "batch"),
        other=N_("padding token"),
    ),
    Entry(
        N_("padding, !Zeros around (padding)"),
        N_(
            "What is added to short sentences, or around a picture, so that all have the size that"
            " the computation needs."
        ),
        Address("vectors", "batch"),
    ),
    Entry(
        N_("vector, vectors"),
        N_("A list of numbers in a fixed order; it can be seen as an arrow or a point in space."),
        Address("vectors", "row"),
    ),
    Entry(
        N_("tensor, tensors"),
        N_("A block of numbers with any number of axes: a vector has one, a matrix has two."),
        Address("vectors", "batch"),
    ),
    Entry(
        N_("component, components"),
        N_("One of the numbers of a vector."),
        Address("vectors", "row"),
        other=N_("coordinate"),
    ),
    Entry(
        N_("matrix, matrices"),
        N_(
            "A table of numbers in rows and columns; multiplied by it, a vector becomes another "
            "vector."
        ),
        Address("self_attention", "matrix"),
    ),
    Entry(
        N_("array, arrays"),
        N_(
            "Numbers in a regular order, such as a row (a vector), a table (a matrix) or a stack "
            "of tables."
        ),
        Address("self_attention", "matrix"),
    ),
    Entry(
        N_("transposed, transpose"),
        N_("Of a matrix: turned so that its rows become its columns; Kᵀ is K transposed."),
        Address("self_attention", "matrix"),
    ),
    Entry(
        N_("dot product, dot products"),
        N_(
            "Multiply two vectors number by number and add everything up: the result is one "
            "number, large when both point the same way."
        ),
        Address("self_attention", "simple"),
        other=N_("inner product, scalar product"),
    ),
    Entry(
        N_("cosine, cosines"),
        N_(
            "How far two vectors point the same way, whatever their lengths: 1 for the same "
            "direction, 0 for a right angle, −1 for opposite ones."
        ),
        Address("vectors", "near"),
        other=N_("cosine similarity"),
        pages=("vectors", "words_as_vectors", "add_norm", "filters"),
    ),
    Entry(
        N_("principal component, principal components"),
        N_(
            "A direction in which a set of vectors differs most; two of them make the axes of a "
            "flat map."
        ),
        Address("vectors", "near"),
        other=N_("PCA"),
    ),
    Entry(
        N_("embedding, embeddings"),
        N_(
            "The learned vector of a token, a row of the embedding table; tokens that are used "
            "alike get vectors that point in similar directions."
        ),
        Address("vectors", "row"),
    ),
    Entry(
        N_("embedding table, embedding tables"),
        N_(
            "A matrix with one row for each token of the vocabulary: looking up the row of an id "
            "gives the token's vector."
        ),
        Address("vectors", "row"),
        other=N_("embedding matrix"),
    ),
    Entry(
        N_("tied weights, tied, shared embeddings"),
        N_(
            "One matrix used in two places, such as the embedding table that also scores the next "
            "token; it is learned and counted once."
        ),
        Address("output", "linear"),
        other=N_("weight tying"),
    ),
    Entry(
        N_("one-hot"),
        N_("A list with a single 1 in the place that is meant and 0 everywhere else."),
        Address("learning", "whole"),
    ),
    Entry(
        N_("positional encoding, positional encodings, position vector, position vectors"),
        N_(
            "A vector that depends only on the place of a token and is added to its embedding, "
            "since attention by itself does not know the order of the words."
        ),
        Address("positions", "sum"),
    ),
    Entry(
        N_("attention"),
        N_(
            "A weighted mean in which the data choose the weights: each token decides how much to "
            "take from each token that it may look at."
        ),
        Address("self_attention", "simple"),
    ),
    Entry(
        N_("self-attention"),
        N_("Attention in which queries, keys and values all come from the same sentence."),
        Address("self_attention", "qkv"),
    ),
    Entry(
        N_("masked self-attention"),
        N_("The decoder's self-attention, in which no token may look at those that come after it."),
        Address("masked_attention", "row"),
        other=N_("causal self-attention"),
    ),
    Entry(
        N_("encoder-decoder attention, cross-attention"),
        N_(
            "Attention from the translation to the source sentence: the decoder asks the queries, "
            "and keys and values come from the memory."
        ),
        Address("cross_attention", "made"),
        other=N_("cross-attention"),
    ),
    Entry(
        N_("multi-head attention, multi-head"),
        N_(
            "Several attentions side by side in one layer, each with its own matrices; their "
            "results are joined and mixed."
        ),
        Address("heads", "all"),
    ),
    Entry(
        N_("head, heads, !head start"),
        N_(
            "One of the attentions that work side by side in a layer, with its own queries, keys "
            "and values."
        ),
        Address("heads", "look"),
        other=N_("attention head"),
    ),
    Entry(
        N_("query, queries"),
        N_("The vector with which a token asks: it is compared with every key."),
        Address("self_attention", "qkv"),
    ),
    Entry(
        N_("key, keys, !arrow keys, !these keys, !by keys"),
        N_(
            "The vector by which a token is found: the more it is like a query, the higher the "
            "score."
        ),
        Address("self_attention", "qkv"),
    ),
    Entry(
        N_("value, values"),
        N_(
            "The vector that a token hands over to whoever looks at it, times the attention weight."
        ),
        Address("self_attention", "qkv"),
        pages=(
            "big_picture",
            "self_attention",
            "heads",
            "masked_attention",
            "cross_attention",
            "decoding",
            "rnnsearch",
            "evolution",
        ),
    ),
    Entry(
        N_("score, scores, scored"),
        N_(
            "A number of any size that says how well a query and a key fit; the softmax turns the "
            "scores of a row into weights."
        ),
        Address("self_attention", "score"),
        other=N_("attention score"),
        pages=(
            "big_picture",
            "vectors",
            "positions",
            "self_attention",
            "heads",
            "masked_attention",
            "cross_attention",
            "learning",
            "rnnsearch",
            "evolution",
        ),
    ),
    Entry(
        N_("attention weight, attention weights"),
        N_(
            "How much of its attention a token gives to another one: from 0 to 1, and a row of "
            "them sums to 1."
        ),
        Address("self_attention", "softmax"),
    ),
    Entry(
        N_("attention sink, attention sinks"),
        N_(
            "A token that heads give their weight to when they find nothing to look for, such as "
            "<eos>, a full stop or the first token."
        ),
        Address("atlas"),
    ),
    Entry(
        N_("weight, weights, weighted"),
        N_(
            "A number that something is multiplied by before it is added up, so it says how much "
            "that counts; most are learned, those of attention are computed for each sentence."
        ),
        Address("neuron", "gate"),
    ),
    Entry(
        N_("scaled dot-product attention, scaled dot product"),
        N_(
            "The Transformer's attention: dot products of queries and keys, divided by √d_k, then "
            "a softmax."
        ),
        Address("evolution", "six"),
    ),
    Entry(
        N_("additive attention, additive"),
        N_(
            "The first attention in translation: a small network, with an addition and a tanh, "
            "scores each query with each key."
        ),
        Address("rnnsearch", "score"),
        other=N_("Bahdanau attention"),
    ),
    Entry(
        N_("context vector, context"),
        N_("What an attention returns: the weighted sum of what was looked at."),
        Address("rnnsearch", "sum"),
        pages=("rnnsearch", "evolution"),
    ),
    Entry(
        N_("mask, masks, masked"),
        N_(
            "A table that says where attention may look; where it may not, the score becomes −∞ "
            "and the weight 0."
        ),
        Address("masked_attention", "row"),
    ),
    Entry(
        N_("causal mask, causal masks"),
        N_(
            "The mask that hides the words to come: each token may look at itself and at what "
            "stands before it."
        ),
        Address("masked_attention", "row"),
        other=N_("look-ahead mask"),
    ),
    Entry(
        N_("padding mask, padding masks"),
        N_("The mask that hides <pad>, so that filling up a batch changes no sentence."),
        Address("masked_attention", "batch"),
    ),
    Entry(
        N_("Transformer, Transformers"),
        N_(
            "The network of the paper of 2017: encoder and decoder made of attention and "
            "feed-forward networks, with nothing recurrent."
        ),
        Address("big_picture", "map"),
    ),
    Entry(
        N_("encoder, encoders"),
        N_(
            "The half of the model that reads the source sentence and makes one vector for each of"
            " its tokens."
        ),
        Address("big_picture", "encoder"),
    ),
    Entry(
        N_("decoder, decoders"),
        N_("The half of the model that writes the translation, one token after the other."),
        Address("big_picture", "encoder"),
    ),
    Entry(
        N_("encoder-decoder"),
        N_(
            "A model of two halves: one reads the whole input, the other writes the output from "
            "what the first has found."
        ),
        Address("big_picture", "map"),
        other=N_("sequence-to-sequence model"),
    ),
    Entry(
        N_("memory, !GB of memory"),
        N_(
            "The output of the encoder: one vector for each source token, and all that the decoder"
            " knows of the source sentence."
        ),
        Address("cross_attention", "made"),
        other=N_("encoder output"),
        pages=(
            "big_picture",
            "cross_attention",
            "decoding",
            "masked_attention",
            "evolution",
            "rnnsearch",
            "learning",
        ),
    ),
    Entry(
        N_("model, models"),
        N_("A function with many numbers inside that were learned from examples."),
        Address("big_picture", "box"),
    ),
    Entry(
        N_("architecture, architectures"),
        N_(
            "The plan of a network: which parts it has and how they are joined, whatever numbers "
            "it has learned."
        ),
        Address("evolution", "beside"),
    ),
    Entry(
        N_("network, networks, neural network, neural networks"),
        N_(
            "Many simple units that multiply, add up and pass on numbers, so that together they "
            "compute something that none of them could."
        ),
        Address("neuron", "gate"),
    ),
    Entry(
        N_("layer, layers"),
        N_(
            "One level of a network; layers are stacked, and the output of one is the input of the "
            "next."
        ),
        Address("big_picture", "layer"),
    ),
    Entry(
        N_("sub-layer, sub-layers"),
        N_(
            "A part of a Transformer layer, an attention or a feed-forward network, with a skip "
            "connection around it."
        ),
        Address("add_norm", "add"),
    ),
    Entry(
        N_("stack, stacks, stacked"),
        N_("Layers of the same shape one on top of the other, each with numbers of its own."),
        Address("big_picture", "stacks"),
    ),
    Entry(
        N_("residual stream"),
        N_(
            "The path of one token's vector through all layers: every sub-layer reads it and adds "
            "to it."
        ),
        Address("add_norm", "stream"),
    ),
    Entry(
        N_("skip connection, skip connections, shortcut, shortcuts, residual connection"),
        N_("A way around some layers: what went in is added to what comes out."),
        Address("residual", "block"),
        other=N_("residual connection, shortcut"),
    ),
    Entry(
        N_("residual learning, residual network, residual networks, residual"),
        N_(
            "Letting layers learn only what to add to their input: doing nothing is then easy, and"
            " deep networks can be trained."
        ),
        Address("residual", "race"),
    ),
    Entry(
        N_(
            "normalisation, normalisations, normalise, normalises, normalised, normalising, norm, "
            "norms"
        ),
        N_(
            "Bringing numbers to the same scale: subtract their mean and divide by their standard "
            "deviation."
        ),
        Address("add_norm", "norm"),
    ),
    Entry(
        N_("layer normalisation, layer norm, add & norm, add & normalise, add and normalise"),
        N_(
            "Normalising the numbers of one token's vector, then a learned factor and offset for "
            "each of its places."
        ),
        Address("add_norm", "norm"),
        other=N_("LayerNorm"),
    ),
    Entry(
        N_("pre-norm"),
        N_("Normalising before each sub-layer, as most models do today: x + sub-layer(norm(x))."),
        Address("add_norm", "around"),
    ),
    Entry(
        N_("post-norm"),
        N_("Normalising after each sum, as the paper of 2017 does: norm(x + sub-layer(x))."),
        Address("add_norm", "around"),
    ),
    Entry(
        N_("batch normalisation"),
        N_(
            "Normalising each number over all examples of a batch; in use, with averages that were"
            " kept in training."
        ),
        Address("residual", "norm"),
        other=N_("batch norm"),
    ),
    Entry(
        N_("running average, running averages"),
        N_("A mean that is kept up to date: each new value moves it a little."),
        Address("residual", "use"),
        other=N_("moving average"),
    ),
    Entry(
        N_("standard deviation, deviation, deviations"),
        N_("How far numbers lie from their mean: the square root of the variance."),
        Address("add_norm", "norm"),
    ),
    Entry(
        N_("variance"),
        N_("The mean of the squared distances from the mean."),
        Address("residual", "normalise"),
    ),
    Entry(
        N_("feed-forward network, feed-forward networks, feed-forward"),
        N_("Two linear layers with a ReLU in between, applied to each token's vector alone."),
        Address("add_norm", "ffn"),
        other=N_("FFN, MLP"),
    ),
    Entry(
        N_(
            "linear layer, linear layers, linear map, linear maps, linear, final linear layer, "
            "final linear"
        ),
        N_(
            "A multiplication by a matrix of weights, usually with a bias added: every output "
            "number is a weighted sum of all inputs."
        ),
        Address("output", "linear"),
        other=N_("dense layer, fully connected layer"),
    ),
    Entry(
        N_("bias, biases"),
        N_("A learned number that is added to a weighted sum, whatever the input."),
        Address("add_norm", "unit"),
    ),
    Entry(
        N_("ReLU"),
        N_("The function that leaves positive numbers as they are and makes all others 0."),
        Address("add_norm", "unit"),
        other=N_("rectified linear unit"),
    ),
    Entry(
        N_("sigmoid"),
        N_("The function σ(s) = 1 / (1 + e⁻ˢ), which squeezes any number between 0 and 1."),
        Address("words_as_vectors", "update"),
        other=N_("logistic function"),
    ),
    Entry(
        N_("tanh"),
        N_("The hyperbolic tangent, which squeezes any number between −1 and 1."),
        Address("rnnsearch", "score"),
        other=N_("hyperbolic tangent"),
    ),
    Entry(
        N_("activation, activations"),
        N_(
            "A number that a network computes for one input, as against a weight, which it has "
            "learned; also the function, such as ReLU, that it has passed through."
        ),
        Address("add_norm", "unit"),
    ),
    Entry(
        N_("hidden unit, hidden units, hidden neuron, hidden neurons"),
        N_("A number inside a network that is neither its input nor its output."),
        Address("add_norm", "unit"),
    ),
    Entry(
        N_("hidden layer, hidden layers"),
        N_(
            "A layer between input and output: nobody tells its units the right answer, so they "
            "have to find out what to compute."
        ),
        Address("perceptron", "two"),
    ),
    Entry(
        N_("parameter, parameters"),
        N_("A number of the model that training sets: a weight, a bias, an embedding."),
        Address("big_picture", "count"),
    ),
    Entry(
        N_("hyper-parameter, hyper-parameters, hyperparameter, hyperparameters"),
        N_(
            "A setting that people choose before the training, such as the number of layers or the"
            " learning rate."
        ),
        Address("training"),
    ),
    Entry(
        N_("d_model"),
        N_("How many numbers the vector of each token has, from the first layer to the last."),
        Address("big_picture", "stacks"),
    ),
    Entry(
        N_("d_k"),
        N_(
            "How many numbers a query or a key of one head has; here that is d_model divided by "
            "the number of heads."
        ),
        Address("self_attention", "scale"),
    ),
    Entry(
        N_("d_ff"),
        N_("How many hidden units the feed-forward network has."),
        Address("add_norm", "ffn"),
    ),
    Entry(
        N_("logit, logits"),
        N_(
            "The score that the last layer gives to each token of the vocabulary, before the "
            "softmax."
        ),
        Address("output", "linear"),
    ),
    Entry(
        N_("softmax"),
        N_(
            "Raise e to the power of each number and divide by the sum of all: positive numbers "
            "that sum to 1, the largest for the largest."
        ),
        Address("output", "softmax"),
    ),
    Entry(
        N_("probability, probabilities"),
        N_("A number from 0 to 1 that says how sure the model is of something."),
        Address("output", "softmax"),
    ),
    Entry(
        N_("probability distribution, probability distributions, distribution, distributions"),
        N_("A probability for each thing that is possible; together they sum to 1."),
        Address("output", "softmax"),
    ),
    Entry(
        N_("logit lens"),
        N_(
            "Sending the vector between two layers straight to the last layer and softmax, to see "
            "what the model would already say there."
        ),
        Address("output", "lens"),
    ),
    Entry(
        N_("logarithm, logarithms, logarithmic, ln"),
        N_("The power to which e has to be raised to give a number; it turns products into sums."),
        Address("learning", "loss"),
    ),
    Entry(
        N_("log-probability, log-probabilities, log p"),
        N_(
            "The logarithm of a probability: 0 for what is certain, more negative the less likely;"
            " sums of them stand for products of probabilities."
        ),
        Address("decoding", "ways"),
    ),
    Entry(
        N_("nat, nats"),
        N_(
            "The unit of surprise with natural logarithms: a thing of probability p surprises by "
            "−ln p nats."
        ),
        Address("learning", "loss"),
    ),
    Entry(
        N_("bit, bits"),
        N_(
            "The unit of surprise with logarithms to base 2: the answer to one fair yes-or-no "
            "question; a nat is 1.44 bits."
        ),
        Address("learning", "loss"),
    ),
    Entry(
        N_("entropy"),
        N_(
            "The average surprise of a distribution: 0 when one thing is certain, largest when all"
            " are equally likely."
        ),
        Address("learning", "entropy"),
    ),
    Entry(
        N_("cross-entropy"),
        N_(
            "The average surprise of the model when the truth follows a target distribution; with "
            "a one-hot target it is −ln of the probability of the right token."
        ),
        Address("learning", "entropy"),
    ),
    Entry(
        N_("Kullback–Leibler divergence, KL divergence, KL"),
        N_(
            "How far one distribution is from another, in nats: what the cross-entropy has beyond "
            "the entropy of the target."
        ),
        Address("learning", "entropy"),
    ),
    Entry(
        N_("loss, losses"),
        N_("One number that says how wrong the model is; training makes it smaller."),
        Address("learning", "loss"),
    ),
    Entry(
        N_("target, targets"),
        N_(
            "What the model should say: the right answer that its own is compared with; in "
            "translation also the language or sentence to be written."
        ),
        Address("learning", "target"),
    ),
    Entry(
        N_("label smoothing"),
        N_(
            "Aiming at a little less than 1 for the right token and giving the rest to all others,"
            " so that the model is never driven to be entirely sure."
        ),
        Address("learning", "target"),
    ),
    Entry(
        N_("teacher forcing"),
        N_(
            "In training, the decoder reads the right translation so far instead of its own tokens."
        ),
        Address("learning", "teacher"),
    ),
    Entry(
        N_("autoregressive"),
        N_("Writing one token at a time, each with everything written so far as input."),
        Address("decoding", "loop"),
    ),
    Entry(
        N_("decoding, decode"),
        N_(
            "Choosing the tokens of the translation, one after the other, from the probabilities "
            "that the model gives."
        ),
        Address("decoding", "loop"),
    ),
    Entry(
        N_("greedy decoding, greedy, greedily"),
        N_("Taking the likeliest token at each step, and never going back."),
        Address("decoding", "ways"),
    ),
    Entry(
        N_("beam search, beam, beams"),
        N_(
            "Keeping several beginnings of a translation at once, continuing all of them, and "
            "choosing at the end the one with the best score."
        ),
        Address("decoding", "ways"),
    ),
    Entry(
        N_("hypothesis, hypotheses"),
        N_("One of the translations, finished or not, that the beam is following."),
        Address("decoding", "branch"),
    ),
    Entry(
        N_("length penalty"),
        N_(
            "Dividing the score of a hypothesis by its length, or a power of it, since each "
            "further token makes the sum of log-probabilities smaller."
        ),
        Address("decoding", "ways"),
    ),
    Entry(
        N_("sampling"),
        N_("Drawing the next token at random, each with the probability that the model gives it."),
        Address("output", "choice"),
    ),
    Entry(
        N_("temperature"),
        N_(
            "What the logits are divided by before the softmax: below 1, likely tokens become "
            "likelier still; above 1, all probabilities move closer together."
        ),
        Address("output", "temperature"),
    ),
    Entry(
        N_("top-k"),
        N_("Sampling from the k likeliest tokens only."),
        Address("output", "choice"),
    ),
    Entry(
        N_("top-p"),
        N_(
            "Sampling from the fewest of the likeliest tokens that together reach the probability "
            "p."
        ),
        Address("output", "choice"),
        other=N_("nucleus sampling"),
    ),
    Entry(
        N_("BLEU"),
        N_(
            "A score from 0 to 100 for translations: how many runs of one to four words they share"
            " with translations made by people."
        ),
        Address("evolution", "length"),
    ),
    Entry(
        N_("trace, traces"),
        N_("A file with the attention of one run of a model, its tokens and other arrays."),
        Address("trace"),
    ),
    Entry(
        N_("chrF"),
        N_(
            "A score from 0 to 100 for translations that compares short runs of characters, so "
            "that a nearly right word counts too."
        ),
        Address("translate"),
    ),
    Entry(
        N_("accuracy, accuracies"),
        N_("The share of answers that are right."),
        Address("filters", "train"),
    ),
    Entry(
        N_("training, trainings"),
        N_("Changing a model's numbers step by step, so that it does better on examples."),
        Address("training"),
    ),
    Entry(
        N_("gradient, gradients"),
        N_(
            "For each number, how fast the loss grows when that number grows: its sign says which "
            "way is better."
        ),
        Address("learning", "gradient"),
    ),
    Entry(
        N_("gradient norm, gradient norms"),
        N_(
            "The length of the whole gradient, taken as one vector; large when a small change of "
            "the weights changes the loss much."
        ),
        Address("training"),
    ),
    Entry(
        N_("gradient descent"),
        N_("Moving every weight a small step against its gradient, again and again."),
        Address("backprop", "weights"),
    ),
    Entry(
        N_("gradient clipping, clipping, clipped"),
        N_(
            "Shortening a gradient that is too long, so that one batch cannot throw the weights "
            "far off."
        ),
        Address("training"),
    ),
    Entry(
        N_("derivative, derivatives"),
        N_(
            "How much a result changes, for each unit, when a number that it is computed from "
            "changes a very little."
        ),
        Address("backprop", "expression"),
    ),
    Entry(
        N_("backpropagation, back-propagation"),
        N_(
            "Finding all derivatives of one result in a single walk backwards through the "
            "computation."
        ),
        Address("backprop", "expression"),
        other=N_("reverse-mode automatic differentiation"),
    ),
    Entry(
        N_("autograd"),
        N_(
            "The part of PyTorch that remembers each computation and finds its derivatives by "
            "itself."
        ),
        Address("backprop", "result"),
    ),
    Entry(
        N_("automatic differentiation"),
        N_(
            "Letting the computer find the derivatives of a computation from those of its single "
            "steps; done backwards, one walk gives all of them."
        ),
        Address("backprop", "result"),
    ),
    Entry(
        N_("nonlinear"),
        N_(
            "More than multiplying and adding: a threshold, tanh, sigmoid or ReLU, without which "
            "any number of layers would do no more than one."
        ),
        Address("perceptron", "two"),
    ),
    Entry(
        N_("AI winter"),
        N_("Years in which money and interest for artificial intelligence became scarce."),
        Address("backprop", "xor"),
    ),
    Entry(
        N_("computation graph, graph, graphs"),
        N_(
            "A drawing of a computation: a box for each number, an arrow from each to what is "
            "computed from it."
        ),
        Address("backprop", "expression"),
    ),
    Entry(
        N_("node, nodes"),
        N_("One box of a computation graph: a number, and how it was computed."),
        Address("backprop", "expression"),
    ),
    Entry(
        N_("learning rate, learning rates"),
        N_("How far a training step moves the weights along the way that the gradient shows."),
        Address("learning", "check"),
        other=N_("step size"),
    ),
    Entry(
        N_("warm-up"),
        N_(
            "The first steps of a training, in which the learning rate grows from near 0 to its "
            "highest value."
        ),
        Address("training"),
    ),
    Entry(
        N_("schedule, schedules"),
        N_(
            "The plan of the learning rate: how it rises and falls from the first step to the last."
        ),
        Address("training"),
    ),
    Entry(
        N_("optimiser, optimisers, optimizer"),
        N_("What turns gradients into changes of the weights, such as Adam or Muon."),
        Address("training"),
    ),
    Entry(
        N_("Adam"),
        N_(
            "An optimiser that gives each weight a step of its own, from running averages of its "
            "gradients and of their squares."
        ),
        Address("training"),
    ),
    Entry(
        N_("Muon"),
        N_(
            "An optimiser for matrices: it evens out the directions of each update, so that no few "
            "of them dominate the step."
        ),
        Address("training"),
    ),
    Entry(
        N_("update, updates"),
        N_("One change of the weights; a training is many of them."),
        Address("learning", "check"),
    ),
    Entry(
        N_("batch, batches"),
        N_("Examples that go through the model together, in one block of numbers."),
        Address("vectors", "batch"),
        other=N_("mini-batch"),
    ),
    Entry(
        N_("step, training step, training steps"),
        N_("In a training: one batch read, its gradient found, and all weights changed once."),
        Address("training"),
        pages=("training",),
    ),
    Entry(
        N_("epoch, epochs"),
        N_("One pass over all the training data."),
        Address("training"),
        other=N_("pass over the data"),
    ),
    Entry(
        N_("dropout"),
        N_(
            "In training, setting a random share of numbers to 0, so that the network cannot rely "
            "on any one of them."
        ),
        Address("training"),
    ),
    Entry(
        N_("overfitting, overfit, overfits, by heart"),
        N_("Learning the training examples by heart: better and better on them, worse on others."),
        Address("training"),
    ),
    Entry(
        N_("validation, validations"),
        N_("Measuring a model, during its training, on examples that it does not learn from."),
        Address("training"),
    ),
    Entry(
        N_("held-out data, held out, held-out"),
        N_(
            "Examples kept away from the training, to find out what the model does with what it "
            "has never seen."
        ),
        Address("training"),
    ),
    Entry(
        N_("seed, seeds"),
        N_(
            "The number from which a computer makes its random numbers: the same seed gives the "
            "same ones."
        ),
        Address("training"),
    ),
    Entry(
        N_("checkpoint, checkpoints"),
        N_(
            "The weights of a model as they stood at one step, saved to be used or trained further."
        ),
        Address("training"),
    ),
    Entry(
        N_("checksum, checksums"),
        N_(
            "A short code computed from a file's content; if one bit changes, the code does not "
            "fit any more."
        ),
        Address("translate"),
    ),
    Entry(
        N_("initialisation, first weights"),
        N_(
            "The random weights with which a training begins; their size decides whether signals "
            "survive many layers."
        ),
        Address("residual", "gradient"),
    ),
    Entry(
        N_("float64"),
        N_("A number stored in 64 bits, exact to about 16 digits."),
        Address("self_attention", "qkv"),
        other=N_("double precision"),
    ),
    Entry(
        N_("NumPy"),
        N_(
            "A Python library for arithmetic with arrays; here it computes the model's numbers a "
            "second time."
        ),
        Address("self_attention", "qkv"),
    ),
    Entry(
        N_("PyTorch, torch"),
        N_(
            "The Python library in which this model is written: arrays, their derivatives, and the"
            " parts of networks."
        ),
        Address("self_attention", "qkv"),
    ),
    Entry(
        N_("hook, hooks"),
        N_(
            "A function that is handed each named number of the model on its way: it can keep a "
            "copy or put something else in its place."
        ),
        Address("positions", "lost"),
    ),
    Entry(
        N_("heatmap, heatmaps"),
        N_("A grid of cells coloured by the size of their numbers."),
        Address("translate"),
    ),
    Entry(
        N_("neuron, neurons"),
        N_(
            "An artificial neuron multiplies each input by a weight, adds up, and makes an output "
            "of the sum."
        ),
        Address("neuron", "sum"),
    ),
    Entry(
        N_("threshold, thresholds"),
        N_("What a neuron's sum has to reach for the neuron to fire."),
        Address("neuron", "sum"),
    ),
    Entry(
        N_("inhibition, inhibits"),
        N_("An input that keeps a neuron from firing; in the paper of 1943 it is a veto."),
        Address("neuron", "veto"),
    ),
    Entry(
        N_("logic gate, logic gates, logical function"),
        N_("A function of inputs that are 0 or 1 whose result is 0 or 1, such as AND and OR."),
        Address("neuron", "gate"),
        other=N_("Boolean function"),
    ),
    Entry(
        N_("XOR"),
        N_(
            "One or the other, but not both: the small function that no single neuron with a "
            "threshold can compute."
        ),
        Address("perceptron", "xor"),
        other=N_("exclusive or"),
    ),
    Entry(
        N_("perceptron, perceptrons"),
        N_(
            "A neuron that learns: after each mistake it adds the point to its weights or takes it"
            " away."
        ),
        Address("perceptron", "points"),
    ),
    Entry(
        N_("margin, margins"),
        N_("How far a line that separates two classes of points stays away from the nearest one."),
        Address("perceptron", "margin"),
        pages=("perceptron",),
    ),
    Entry(
        N_("pixel, pixels"),
        N_("One dot of a digital picture: one number for a grey, three for a colour."),
        Address("filters", "colour"),
    ),
    Entry(
        N_("kernel, kernels"),
        N_("A small grid of weights that steps over a picture."),
        Address("filters", "step"),
        other=N_("filter"),
        pages=("filters", "residual"),
    ),
    Entry(
        N_("Sobel kernel, Sobel kernels, Sobel"),
        N_("A kernel made by hand that answers to edges, horizontal or vertical."),
        Address("filters", "sobel"),
    ),
    Entry(
        N_("convolution, convolutions, convolutional"),
        N_(
            "Laying a kernel on every place of a picture, multiplying what lies on top of each "
            "other, and adding up."
        ),
        Address("filters", "step"),
    ),
    Entry(
        N_("cross-correlation"),
        N_(
            "A convolution whose kernel is not turned round first; it is what networks compute "
            "when they say convolution."
        ),
        Address("filters", "step"),
    ),
    Entry(
        N_("stride, strides"),
        N_("How many pixels a kernel moves at a time."),
        Address("filters", "size"),
    ),
    Entry(
        N_("feature map, feature maps"),
        N_(
            "What one kernel makes of a picture: a number for each place, high where its pattern "
            "is found."
        ),
        Address("filters", "read"),
    ),
    Entry(
        N_("channel, channels"),
        N_(
            "One of the grids of numbers that lie on top of each other in a picture: its three "
            "colours, or later one feature map for each kernel."
        ),
        Address("filters", "colour"),
        pages=("filters", "residual"),
    ),
    Entry(
        N_("average pooling, adaptive average pooling"),
        N_(
            "Keeping only the mean of each part of a picture; adaptive: the parts are as large as "
            "the size of the result asks for."
        ),
        Address("filters", "alexnet"),
    ),
    Entry(
        N_("max pooling, pooling, pooled"),
        N_("Keeping only the largest number of each small square."),
        Address("filters", "pool"),
    ),
    Entry(
        N_("ImageNet"),
        N_(
            "Millions of photographs with the names of what is on them, and the contest of 1,000 "
            "categories that AlexNet won in 2012."
        ),
        Address("filters", "alexnet"),
    ),
    Entry(
        N_("AlexNet"),
        N_(
            "The convolutional network that won ImageNet's contest in 2012: five convolutions and "
            "three linear layers."
        ),
        Address("filters", "alexnet"),
    ),
    Entry(
        N_("ResNet, ResNet-50"),
        N_(
            "The convolutional network of 2015 with shortcuts around its blocks, trained with up "
            "to 152 layers on ImageNet."
        ),
        Address("residual", "resnet"),
    ),
    Entry(
        N_("bottleneck, bottlenecks, Bottleneck block"),
        N_(
            "A narrow place that everything must pass: in ResNet a block that first reduces its "
            "channels, in an RNN translator the one vector between its halves."
        ),
        Address("residual", "resnet"),
    ),
    Entry(
        N_("vanishing gradient, vanishing gradients, vanishes, vanish"),
        N_(
            "A gradient that gets smaller with every layer or step it goes back, until the first "
            "ones learn next to nothing."
        ),
        Address("residual", "gradient"),
    ),
    Entry(
        N_("exploding gradient, exploding gradients, explodes"),
        N_(
            "A gradient that grows with every layer or step it goes back, until a step of training"
            " throws the weights far off."
        ),
        Address("residual", "gradient"),
    ),
    Entry(
        N_("word2vec"),
        N_(
            "The method of 2013, and its program, that learns vectors of words by guessing "
            "neighbours: skip-gram and CBOW."
        ),
        Address("words_as_vectors", "train"),
    ),
    Entry(
        N_("skip-gram"),
        N_("Learning vectors of words by guessing the neighbours of a word from the word."),
        Address("words_as_vectors", "text"),
    ),
    Entry(
        N_("CBOW, continuous bag of words"),
        N_(
            "Learning vectors of words by guessing a word from the mean of its neighbours' vectors."
        ),
        Address("words_as_vectors", "text"),
        other=N_("continuous bag of words"),
    ),
    Entry(
        N_("negative sampling"),
        N_(
            "Learning to tell the right word from a few others that are drawn at random, instead "
            "of from all words."
        ),
        Address("words_as_vectors", "text"),
    ),
    Entry(
        N_("analogy, analogies"),
        N_(
            "A question such as “man is to king as woman is to …”, which vectors of words are "
            "asked by adding and subtracting."
        ),
        Address("words_as_vectors", "sum"),
    ),
    Entry(
        N_("sequence to sequence, seq2seq"),
        N_(
            "Turning one row of tokens into another that may have another length, as translation "
            "does."
        ),
        Address("seq2seq", "unrolled"),
        other=N_("seq2seq"),
    ),
    Entry(
        N_(
            "RNN, RNNs, recurrent network, recurrent networks, recurrent neural network, recurrent"
            " neural networks, recurrent, recurrence"
        ),
        N_(
            "A network that reads a sequence one token at a time and carries a state from each to "
            "the next."
        ),
        Address("seq2seq", "unrolled"),
        other=N_("recurrent neural network"),
    ),
    Entry(
        N_("hidden state, hidden states, state, states"),
        N_("The vector in which a recurrent network keeps what it has read so far."),
        Address("seq2seq", "unrolled"),
        pages=("seq2seq", "rnnsearch", "evolution"),
    ),
    Entry(
        N_("GRU, GRUs, gated recurrent unit, gated recurrent units"),
        N_(
            "A recurrent cell with two gates that decide, number by number, how much of the old "
            "state stays."
        ),
        Address("seq2seq", "gru"),
        other=N_("gated recurrent unit"),
    ),
    Entry(
        N_("gate, gates, gated"),
        N_(
            "Numbers between 0 and 1 that something is multiplied by, so that it passes partly, "
            "entirely or not at all."
        ),
        Address("seq2seq", "gru"),
        pages=("seq2seq", "rnnsearch", "evolution", "training"),
    ),
    Entry(
        N_("update gate, update gates"),
        N_(
            "The gate z of a GRU: how much of the old state stays, and how much is replaced by the"
            " candidate."
        ),
        Address("seq2seq", "gru"),
    ),
    Entry(
        N_("reset gate, reset gates"),
        N_("The gate r of a GRU: how much the old state counts in the candidate for the new one."),
        Address("seq2seq", "gru"),
    ),
    Entry(
        N_("candidate, candidates"),
        N_("In a GRU: the new content n that may replace the old state."),
        Address("seq2seq", "gru"),
        pages=("seq2seq",),
    ),
    Entry(
        N_("plain cell, plain cells, Elman"),
        N_(
            "A recurrent cell without gates: its whole state is made new from the old state and "
            "the token, at every step."
        ),
        Address("seq2seq", "forget"),
        other=N_("Elman cell"),
    ),
    Entry(
        N_("RNNsearch"),
        N_(
            "The first translator with attention (preprint 2014, published 2015): two recurrent "
            "networks, and before each word a search among the source words."
        ),
        Address("rnnsearch", "read"),
    ),
    Entry(
        N_("alignment, alignments, align"),
        N_(
            "Which words of the translation belong to which words of the source; also what the "
            "first attention was called."
        ),
        Address("rnnsearch", "map"),
    ),
    Entry(
        N_("annotation, annotations"),
        N_("In RNNsearch: the vector of a source word, made of what both encoders know there."),
        Address("rnnsearch", "read"),
        pages=("rnnsearch", "evolution"),
    ),
    Entry(
        N_("LSTM"),
        N_(
            "A recurrent cell of 1997 with gates and a memory of its own, older than the GRU and "
            "somewhat larger."
        ),
        Address("people"),
        other=N_("long short-term memory"),
    ),
    Entry(
        N_("sacrebleu"),
        N_(
            "A program that computes BLEU and chrF always in the same way, so that scores can be "
            "compared."
        ),
        Address("people"),
    ),
    Entry(
        N_("WMT"),
        N_(
            "The yearly conference on machine translation, and the sentences on which its contests"
            " measure."
        ),
        Address("people"),
        other=N_("Conference on Machine Translation"),
    ),
    Entry(
        N_("NLP"),
        N_("Working with human language by computer: translating, summarising, answering."),
        Address("vectors", "picture"),
        other=N_("natural language processing"),
    ),
    Entry(
        N_("feature, features"),
        N_(
            "Something about an input that helps to tell it from others, such as an edge in a "
            "picture; a network learns which ones to look for."
        ),
        Address("filters", "train"),
    ),
    Entry(
        N_("binary"),
        N_("Numbers written with the two digits 0 and 1 only; eight of them are one byte."),
        Address("vectors", "picture"),
        other=N_("base 2"),
    ),
    Entry(
        N_("thread, threads"),
        N_(
            "One of the computations that a program runs at the same time, so that several cores "
            "of the processor can share the work."
        ),
        Address("training"),
    ),
    Entry(
        N_("noam"),
        N_(
            "The paper's schedule, called after one of its authors: a linear warm-up, then a "
            "learning rate that falls with 1/√step."
        ),
        Address("training"),
        other=N_("inverse square root schedule"),
        pages=("training",),
    ),
    Entry(
        N_("wsd"),
        N_(
            "A schedule of three parts: warm-up, a long time at the highest learning rate, and a "
            "fall at the end."
        ),
        Address("training"),
        other=N_("warm-up–stable–decay"),
    ),
    Entry(
        N_("intervention, interventions"),
        N_(
            "Changing one thing inside a model and running it again, so that what differs "
            "afterwards has a known cause."
        ),
        Address("what_if", "control"),
    ),
    Entry(
        N_("ablation, ablations"),
        N_(
            "Switching off one part of a model, such as a head, and running it again, to learn "
            "what that part is good for."
        ),
        Address("what_if", "head"),
    ),
    Entry(
        N_("leave-one-out"),
        N_(
            "Asking what a word was worth by hiding it and running the model again, for each word "
            "in turn."
        ),
        Address("what_if", "mattered"),
        other=N_("occlusion"),
    ),
    Entry(
        N_("gradient × input"),
        N_(
            "A quick guess at what a word was worth: the gradient of the result by the word's "
            "vector, times that vector."
        ),
        Address("what_if", "mattered"),
    ),
    Entry(
        N_("integrated gradients"),
        N_(
            "Sharing a result among the words by their gradients on the way from an empty sentence "
            "to the real one; the shares add up to the result."
        ),
        Address("what_if", "mattered"),
    ),
    Entry(
        N_("attention rollout"),
        N_(
            "Following attention back through all layers, as if each one handed on half of what "
            "came in and half of what it looked at."
        ),
        Address("rollout", "encoder"),
        other=N_("rollout"),
    ),
    Entry(
        N_("rollout by norms"),
        N_(
            "Following the words through all layers by how long the part is that each vector "
            "brings, in place of halves and weights."
        ),
        Address("rollout", "written"),
    ),
    Entry(
        N_("attention flow"),
        N_(
            "How much could get from a word to a vector if each weight were the width of a pipe: "
            "the largest flow through all layers."
        ),
        Address("rollout", "compare"),
    ),
    Entry(
        N_("Jensen-Shannon divergence, Jensen-Shannon"),
        N_("How far two distributions are apart, in bits: 0 is the same, 1 shares nothing."),
        Address("explanation", "search"),
    ),
    Entry(
        N_("total variation"),
        N_(
            "How much of one distribution has to be moved to get the other: half of the sum of all "
            "differences."
        ),
        Address("explanation", "search"),
    ),
    Entry(
        N_("rank correlation, rank correlations"),
        N_(
            "How alike two lists order the same things: +1 is the same order, −1 the reverse, 0 no "
            "relation."
        ),
        Address("what_if", "mattered"),
        other=N_("Spearman's ρ"),
    ),
    Entry(
        N_("alignment error rate, alignment error rates"),
        N_(
            "How far the links between words that something finds are from the true ones: 0 is "
            "perfect, 100 all wrong."
        ),
        Address("atlas"),
        other=N_("AER"),
    ),
)
