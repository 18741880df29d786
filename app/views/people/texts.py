"""The texts of the page: the paper, and the sources in groups."""

from typing import Final

from app.components.entries import Entry, Group
from app.i18n import N_
from app.registry import Address

INTRO: Final = N_(
    "We invented nothing here but the way to show it. These are the people who found it out, and "
    "those whose explanations we follow."
)
SEARCH: Final = N_("Find a name or a title")
PAPER_LINK: Final = "[Attention Is All You Need](https://arxiv.org/abs/1706.03762)"
AUTHORS: Final = (
    "Ashish Vaswani",
    "Noam Shazeer",
    "Niki Parmar",
    "Jakob Uszkoreit",
    "Llion Jones",
    "Aidan N. Gomez",
    "Łukasz Kaiser",
    "Illia Polosukhin",
)
PAPER: Final = N_(
    "**{paper}** (2017), by {authors}, listed in random order, as all of them contributed "
    "equally. What it claimed:\n\n"
    "- **28.4** BLEU from English to German (WMT 2014), more than 2 above the best results "
    "before, and **41.8** from English to French (41.0 in the first version), more than any "
    "single model before.\n"
    "- The big model trained for **3.5 days** on eight P100 graphics processors, the base "
    "model for **12 hours**: a small fraction of what the best models before had cost.\n"
    "- No recurrence and no convolution: attention alone connects the words, so all places "
    "are computed at once."
)

# A table.
SOURCES: Final = (
    Group(
        N_("Explanations and code"),
        (
            Entry(
                "The Illustrated Transformer",
                N_(
                    "Explains the Transformer in drawings, one step after the other; the order of "
                    "our walk and the steps of self-attention follow it."
                ),
                (
                    Address("big_picture"),
                    Address("self_attention", "qkv"),
                    Address("heads", "recap"),
                ),
                note="J. Alammar · 2018",
                url="https://jalammar.github.io/illustrated-transformer/",
            ),
            Entry(
                "The Annotated Transformer",
                N_(
                    "Goes through the paper with PyTorch code that runs, from Harvard's NLP group;"
                    " many of our names for the parts of the model come from there."
                ),
                (
                    Address("self_attention", "z"),
                    Address("masked_attention"),
                    Address("learning"),
                ),
                note="A. Rush et al. · 2018; A. Huang et al. · 2022",
                url="https://nlp.seas.harvard.edu/annotated-transformer/",
            ),
            Entry(
                "Tensor2Tensor",
                N_(
                    "The library in which the authors published their code; it lays out all sines "
                    "of the positions before all cosines."
                ),
                (Address("positions", "layouts"),),
                note="A. Vaswani et al. · 2018",
                url="https://arxiv.org/abs/1803.07416",
            ),
            Entry(
                "A Mathematical Framework for Transformer Circuits",
                N_(
                    "Reads the Transformer as a residual stream that heads and feed-forward "
                    "networks add to; so do our pages."
                ),
                (
                    Address("add_norm", "stream"),
                    Address("heads", "parts"),
                ),
                note="N. Elhage et al. · 2021",
                url="https://transformer-circuits.pub/2021/framework/index.html",
            ),
            Entry(
                "interpreting GPT: the logit lens",
                N_("Showed what a model would already say after each of its layers."),
                (Address("output", "lens"),),
                note="nostalgebraist · 2020",
                url="https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens",
            ),
            Entry(
                "Attention is not Explanation",
                N_(
                    "Found very different attention weights that led to nearly the same "
                    "predictions: a map of weights alone does not explain an answer."
                ),
                (Address("explanation", "search"), Address("translate")),
                note="S. Jain, B. C. Wallace · 2019",
                url="https://arxiv.org/abs/1902.10186",
            ),
            Entry(
                "Attention is not not Explanation",
                N_(
                    "Answered that an explanation need not be the only one, and proposed tests, "
                    "uniform attention among them."
                ),
                (Address("explanation", "uniform"),),
                note="S. Wiegreffe, Y. Pinter · 2019",
                url="https://arxiv.org/abs/1908.04626",
            ),
            Entry(
                "The elephant in the interpretability room",
                N_(
                    "Asked what attention should explain, and to whom: which words mattered is a "
                    "question for gradients and experiments."
                ),
                (Address("explanation", "agree"),),
                note="J. Bastings, K. Filippova · 2020",
                url="https://arxiv.org/abs/2010.05607",
            ),
            Entry(
                "Quantifying Attention Flow in Transformers",
                N_("Followed attention through all layers, as a product and as a flow."),
                (Address("rollout", "encoder"), Address("rollout", "compare")),
                note="S. Abnar, W. Zuidema · 2020",
                url="https://arxiv.org/abs/2005.00928",
            ),
            Entry(
                "Incorporating Residual and Normalization Layers into Analysis of Masked Language "
                "Models",
                N_("Measured how much a vector keeps of itself, by the lengths of what is added."),
                (Address("rollout", "half"),),
                note="G. Kobayashi et al. · 2021",
                url="https://arxiv.org/abs/2109.07152",
            ),
            Entry(
                "Measuring the Mixing of Contextual Information in the Transformer",
                N_("Multiplied such measures through all layers, down to the words."),
                (Address("rollout", "written"),),
                note="J. Ferrando, G. I. Gállego, M. R. Costa-jussà · 2022",
                url="https://arxiv.org/abs/2203.04212",
            ),
        ),
    ),
    Group(
        N_("From one sentence to another"),
        (
            Entry(
                "Learning Phrase Representations using RNN Encoder–Decoder for "
                "Statistical Machine Translation",
                N_(
                    "Joined two recurrent networks as encoder and decoder, and gave them the cell "
                    "with gates that was later named GRU."
                ),
                (
                    Address("seq2seq", "forget"),
                    Address("seq2seq", "bridge"),
                ),
                note="K. Cho et al. · 2014",
                url="https://arxiv.org/abs/1406.1078",
            ),
            Entry(
                "Sequence to Sequence Learning with Neural Networks",
                N_(
                    "Translated English to French with two deep LSTM networks and a single vector "
                    "of fixed length between them."
                ),
                (Address("seq2seq", "unrolled"),),
                note="I. Sutskever, O. Vinyals, Q. V. Le · 2014",
                url="https://arxiv.org/abs/1409.3215",
            ),
            Entry(
                "Neural Machine Translation by Jointly Learning to Align and Translate",
                N_(
                    "RNNsearch: before each word the decoder looks again at all words of the "
                    "source, the first attention in translation."
                ),
                (
                    Address("rnnsearch", "read"),
                    Address("rnnsearch", "map"),
                ),
                note="D. Bahdanau, K. Cho, Y. Bengio · 2014, ICLR 2015",
                url="https://arxiv.org/abs/1409.0473",
            ),
            Entry(
                "Effective Approaches to Attention-based Neural Machine Translation",
                N_("Compared several ways to score, among them the plain dot product."),
                (Address("evolution", "six"),),
                note="M.-T. Luong, H. Pham, C. D. Manning · 2015",
                url="https://arxiv.org/abs/1508.04025",
            ),
            Entry(
                "Google's Neural Machine Translation System",
                N_(
                    "A deep recurrent translator with attention, made for Google Translate; the "
                    "paper of 2017 compares itself with it."
                ),
                (Address("evolution", "beside"),),
                note="Y. Wu et al. · 2016",
                url="https://arxiv.org/abs/1609.08144",
            ),
        ),
    ),
    Group(
        N_("Parts of the model"),
        (
            Entry(
                "Neural Machine Translation of Rare Words with Subword Units",
                N_("Brought BPE from data compression to translation, so that no word is unknown."),
                (Address("vectors", "tokens"),),
                note="R. Sennrich, B. Haddow, A. Birch · 2016",
                url="https://arxiv.org/abs/1508.07909",
            ),
            Entry(
                "Using the Output Embedding to Improve Language Models",
                N_("Showed that one table may serve as embedding and as last layer at once."),
                (
                    Address("output", "linear"),
                    Address("big_picture", "count"),
                ),
                note="O. Press, L. Wolf · 2017",
                url="https://arxiv.org/abs/1608.05859",
            ),
            Entry(
                "Layer Normalization",
                N_(
                    "Normalises the numbers of each example by themselves, whatever else is in the"
                    " batch."
                ),
                (Address("add_norm", "norm"),),
                note="J. L. Ba, J. R. Kiros, G. E. Hinton · 2016",
                url="https://arxiv.org/abs/1607.06450",
            ),
            Entry(
                "On Layer Normalization in the Transformer Architecture",
                N_("Showed why pre-norm trains well without warm-up, and post-norm needs it."),
                (Address("add_norm", "around"),),
                note="R. Xiong et al. · 2020",
                url="https://arxiv.org/abs/2002.04745",
            ),
            Entry(
                "Rethinking the Inception Architecture for Computer Vision",
                N_("Introduced label smoothing."),
                (Address("learning", "target"),),
                note="C. Szegedy et al. · 2015",
                url="https://arxiv.org/abs/1512.00567",
            ),
            Entry(
                "Dropout: A Simple Way to Prevent Neural Networks from Overfitting",
                N_(
                    "Leaves out numbers at random in training, so that a network learns less by "
                    "heart."
                ),
                (Address("training"),),
                note="N. Srivastava et al. · 2014",
                url="https://jmlr.org/papers/v15/srivastava14a.html",
            ),
            Entry(
                "Adam: A Method for Stochastic Optimization",
                N_("The optimiser of the paper of 2017."),
                (
                    Address("training"),
                    Address("learning", "gradient"),
                ),
                note="D. P. Kingma, J. Ba · 2014, ICLR 2015",
                url="https://arxiv.org/abs/1412.6980",
            ),
            Entry(
                "Muon: An optimizer for hidden layers in neural networks",
                N_("The optimiser for matrices with which our shipped Transformers were trained."),
                (Address("training"),),
                note="K. Jordan et al. · 2024",
                url="https://kellerjordan.github.io/posts/muon/",
            ),
            Entry(
                "The Curious Case of Neural Text Degeneration",
                N_("Proposed top-p, and compared it with top-k, temperature and the beam."),
                (
                    Address("output", "softmax"),
                    Address("decoding", "ways"),
                ),
                note="A. Holtzman et al. · 2019, ICLR 2020",
                url="https://arxiv.org/abs/1904.09751",
            ),
        ),
    ),
    Group(
        N_("Words as vectors"),
        (
            Entry(
                "A Neural Probabilistic Language Model",
                N_(
                    "Let a network learn a vector for each word while it learned to guess the next"
                    " one, ten years before word2vec."
                ),
                (Address("words_as_vectors", "one_hot"),),
                note="Y. Bengio, R. Ducharme, P. Vincent, C. Jauvin · 2003",
                url="https://www.jmlr.org/papers/v3/bengio03a.html",
            ),
            Entry(
                "Efficient Estimation of Word Representations in Vector Space",
                N_(
                    "word2vec: skip-gram, CBOW, and the test of analogies, with king − man + woman."
                ),
                (
                    Address("words_as_vectors", "train"),
                    Address("words_as_vectors", "sum"),
                ),
                note="T. Mikolov, K. Chen, G. Corrado, J. Dean · 2013",
                url="https://arxiv.org/abs/1301.3781",
            ),
            Entry(
                "Distributed Representations of Words and Phrases and their Compositionality",
                N_("Made word2vec fast by negative sampling."),
                (Address("words_as_vectors", "update"),),
                note="T. Mikolov et al. · 2013",
                url="https://arxiv.org/abs/1310.4546",
            ),
        ),
    ),
    Group(
        N_("Neurons that learn"),
        (
            Entry(
                "A Logical Calculus of the Ideas Immanent in Nervous Activity",
                N_(
                    "The first mathematical neuron: inputs that are 0 or 1, a threshold, and "
                    "inhibition as a veto."
                ),
                (
                    Address("neuron", "gate"),
                    Address("neuron", "veto"),
                ),
                note="W. S. McCulloch, W. Pitts · 1943",
                url="https://doi.org/10.1007/BF02478259",
            ),
            Entry(
                "The Perceptron: A Probabilistic Model for Information Storage and "
                "Organization in the Brain",
                N_(
                    "A machine that learns its weights from its mistakes, reported in 1957 and "
                    "published in 1958."
                ),
                (Address("perceptron", "points"),),
                note="F. Rosenblatt · 1957, 1958",
                url="https://doi.org/10.1037/h0042519",
            ),
            Entry(
                "Perceptrons: An Introduction to Computational Geometry",
                N_(
                    "Proved, for several types of perceptron, what they can never compute, however "
                    "long they learn."
                ),
                (
                    Address("perceptron", "xor"),
                    Address("perceptron", "two"),
                ),
                note="M. Minsky, S. Papert · 1969",
                url="https://mitpress.mit.edu/9780262630221/perceptrons/",
            ),
            Entry(
                "Taylor Expansion of the Accumulated Rounding Error",
                N_(
                    "Looking for the effect of rounding errors, his thesis of 1970 found all "
                    "derivatives of a computation in one walk backwards; this is the article on "
                    "it."
                ),
                (Address("backprop", "result"),),
                note="S. Linnainmaa · 1970, 1976",
                url="https://doi.org/10.1007/BF01931367",
            ),
            Entry(
                "Learning Representations by Back-propagating Errors",
                N_(
                    "Showed that backpropagation lets hidden layers find useful features by "
                    "themselves."
                ),
                (Address("backprop", "xor"),),
                note="D. E. Rumelhart, G. E. Hinton, R. J. Williams · 1986",
                url="https://doi.org/10.1038/323533a0",
            ),
            Entry(
                "Finding Structure in Time",
                N_("The plain recurrent cell, whose state is read again with the next word."),
                (Address("seq2seq", "forget"),),
                note="J. L. Elman · 1990",
                url="https://doi.org/10.1207/s15516709cog1402_1",
            ),
        ),
    ),
    Group(
        N_("Pictures"),
        (
            Entry(
                "Gradient-Based Learning Applied to Document Recognition",
                N_(
                    "LeNet: a convolutional network that learns its kernels and reads handwritten "
                    "digits; the first one is from 1989."
                ),
                (
                    Address("filters", "train"),
                    Address("filters", "read"),
                ),
                note="Y. LeCun, L. Bottou, Y. Bengio, P. Haffner · 1998",
                url="https://doi.org/10.1109/5.726791",
            ),
            Entry(
                "ImageNet: A Large-Scale Hierarchical Image Database",
                N_("Millions of photographs, sorted by what is on them."),
                (Address("filters", "alexnet"),),
                note="J. Deng et al. · 2009",
                url="https://doi.org/10.1109/CVPR.2009.5206848",
            ),
            Entry(
                "ImageNet Large Scale Visual Recognition Challenge",
                N_(
                    "The yearly contest: 1,000 categories, 1.2 million pictures to learn from and "
                    "100,000 to be tested on."
                ),
                (Address("filters", "alexnet"),),
                note="O. Russakovsky et al. · 2015",
                url="https://arxiv.org/abs/1409.0575",
            ),
            Entry(
                "ImageNet Classification with Deep Convolutional Neural Networks",
                N_("AlexNet, which won the contest of 2012 by far."),
                (Address("filters", "alexnet"),),
                note="A. Krizhevsky, I. Sutskever, G. E. Hinton · 2012",
                url="https://proceedings.neurips.cc/paper/2012/hash/c399862d3b9d6b76c8436e924a68c45b-Abstract.html",
            ),
            Entry(
                "Batch Normalization: Accelerating Deep Network Training by Reducing "
                "Internal Covariate Shift",
                N_(
                    "Normalises each number over the examples of a batch, which lets deep networks"
                    " learn faster."
                ),
                (Address("residual", "norm"),),
                note="S. Ioffe, C. Szegedy · 2015",
                url="https://arxiv.org/abs/1502.03167",
            ),
            Entry(
                "Delving Deep into Rectifiers",
                N_(
                    "How large random weights have to be at first, so that a signal passes through"
                    " many layers of ReLU."
                ),
                (Address("residual", "gradient"),),
                note="K. He, X. Zhang, S. Ren, J. Sun · 2015",
                url="https://arxiv.org/abs/1502.01852",
            ),
            Entry(
                "Deep Residual Learning for Image Recognition",
                N_(
                    "ResNet: blocks that add to what comes in; the Transformer does so around each"
                    " of its sub-layers."
                ),
                (
                    Address("residual", "block"),
                    Address("residual", "resnet"),
                ),
                note="K. He, X. Zhang, S. Ren, J. Sun · 2015",
                url="https://arxiv.org/abs/1512.03385",
            ),
        ),
    ),
    Group(
        N_("Data and measures"),
        (
            Entry(
                "Tatoeba",
                N_(
                    "The sentences that our Spanish and French models learned from, written and "
                    "translated by volunteers (CC BY 2.0 FR)."
                ),
                (
                    Address("translate"),
                    Address("training"),
                ),
                note="tatoeba.org",
                url="https://tatoeba.org",
            ),
            Entry(
                "Tab-delimited Bilingual Sentence Pairs",
                N_("The selection of Tatoeba's pairs that we used."),
                (
                    Address("translate"),
                    Address("training"),
                ),
                note="ManyThings.org",
                url="https://www.manythings.org/anki/",
            ),
            Entry(
                "Optical Recognition of Handwritten Digits",
                N_("The digits of 8 × 8 pixels that our small networks read."),
                (
                    Address("filters", "read"),
                    Address("residual", "race"),
                ),
                note="E. Alpaydin, C. Kaynak · 1998",
                url="https://archive.ics.uci.edu/dataset/80/optical+recognition+of+handwritten+digits",
            ),
            Entry(
                "BLEU: a Method for Automatic Evaluation of Machine Translation",
                N_("Compares translations by the runs of words that they share."),
                (
                    Address("evolution", "length"),
                    Address("evolution", "length"),
                ),
                note="K. Papineni, S. Roukos, T. Ward, W.-J. Zhu · 2002",
                url="https://aclanthology.org/P02-1040/",
            ),
            Entry(
                "chrF: character n-gram F-score for automatic MT evaluation",
                N_("Compares translations by the runs of characters that they share."),
                (Address("translate"),),
                note="M. Popović · 2015",
                url="https://aclanthology.org/W15-3049/",
            ),
            Entry(
                "A Call for Clarity in Reporting BLEU Scores",
                N_("sacrebleu, the program with which we measure, so that scores can be compared."),
                (Address("evolution", "length"),),
                note="M. Post · 2018",
                url="https://aclanthology.org/W18-6319/",
            ),
        ),
    ),
)
