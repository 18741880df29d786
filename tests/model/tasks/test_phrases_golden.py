"""One sentence for each construction of the phrase book, in three languages."""

from __future__ import annotations

from typing import Any

import pytest

from model.tasks.phrases import english, french, spanish
from model.tasks.phrases.lexicon import ADJECTIVES, NOUNS, TIMES, VERBS, Adjective, Noun, Time
from model.tasks.phrases.tree import (
    Being,
    Both,
    Clause,
    Command,
    Doing,
    Feeling,
    Job,
    Name,
    Phrase,
    Place,
    Pronoun,
    Sentence,
    Them,
    There,
)


def noun(en: str) -> Noun:
    return next(one for one in NOUNS if one.en.split("/")[0] == en)


def phrase(en: str, *kind: Any, **more: Any) -> Phrase:
    return Phrase(noun(en), *kind, **more)


def adjective(en: str) -> Adjective:
    return next(one for one in ADJECTIVES if one.en == en)


def time(en: str) -> Time:
    return next(one for one in TIMES if one.en == en)


ME, WE = Pronoun(0, spoken=False), Pronoun(3, feminine=True, spoken=False)
YOU, USTED = Pronoun(1, spoken=False), Pronoun(1, feminine=True, formal=True)
HE, SHE, THEY = Pronoun(2), Pronoun(2, feminine=True), Pronoun(5, feminine=True)
ANA, LUCAS = Name("Ana", True), Name("Lucas", False)
BE, HAVE, CAN, WANT, LIKE = (VERBS[verb] for verb in ("be", "have", "can", "want", "like"))
SISTER = phrase("sister", plural=True, owner=ME)
TEACHER = phrase("teacher", feminine=True)
CAT = phrase("cat")
WATER = phrase("water", "bare")

GOLDEN: list[tuple[Sentence, str, str, str]] = [
    # a past of movement: participle and subject agree; contraction
    (Clause(WE, VERBS["go"], (Place("to", phrase("market")),), "past", time=time("yesterday")),
     "We went to the market yesterday.", "Fuimos al mercado ayer.",
     "Nous sommes allées au marché hier."),
    # contraction of de, and elision before a silent h
    (Clause(HE, VERBS["come"], (Place("from", phrase("hospital")),)), "He comes from the hospital.",
     "Él viene del hospital.", "Il vient de l'hôpital."),
    # partitive; Spanish without article
    (Clause(SHE, VERBS["drink"], (WATER,)), "She drinks water.", "Ella bebe agua.",
     "Elle boit de l'eau."),
    # ne … pas de, do-support
    (Clause(SHE, VERBS["drink"], (WATER,), negative=True), "She does not drink water.",
     "Ella no bebe agua.", "Elle ne boit pas d'eau."),
    # feminine agua takes el, and its adjective stays feminine
    (Clause(phrase("water"), BE, (Being(adjective("cold")),)), "The water is cold.",
     "El agua está fría.", "L'eau est froide."),
    # an adjective that goes before: buen, bon
    (Clause(ME, VERBS["read"], (phrase("novel", "a", adjective=adjective("good")),)),
     "I read a good novel.", "Leo una buena novela.", "Je lis un bon roman."),
    # bel before a vowel, cet, "an", a past without do
    (Clause(LUCAS, VERBS["see"], (phrase("bird", "this", adjective=adjective("beautiful")),),
            "past"), "Lucas saw this beautiful bird.", "Lucas vio este pájaro bonito.",
     "Lucas a vu ce bel oiseau."),
    # "de" before an adjective in the plural; irregular plural
    (Clause(ME, VERBS["have"], (phrase("knife", "some", True, adjective=adjective("new")),)),
     "I have some new knives.", "Tengo unos cuchillos nuevos.", "J'ai de nouveaux couteaux."),
    # the personal a; a possessor of one's own
    (Clause(ANA, VERBS["wait for"], (phrase("friend", feminine=True, owner=SHE),)),
     "Ana waits for her friend.", "Ana espera a su amiga.", "Ana attend son amie."),
    # a genitive turns the order around
    (Clause(HE, VERBS["wash"], (phrase("car", owner=phrase("doctor")),), "future"),
     "He will wash the doctor's car.", "Él lavará el coche del médico.",
     "Il lavera la voiture du médecin."),
    # a clitic before the verb
    (Clause(ANA, VERBS["listen to"], (Them(0),), negative=True), "Ana does not listen to me.",
     "Ana no me escucha.", "Ana ne m'écoute pas."),
    # two people, in the feminine only if both are
    (Clause(Both(ANA, phrase("man")), BE, (Being(adjective("tired")),)),
     "Ana and the man are tired.", "Ana y el hombre están cansados.",
     "Ana et l'homme sont fatigués."),
    # a profession without article
    (Clause(SHE, BE, (Job(noun("artist")),)), "She is an artist.", "Ella es artista.",
     "Elle est artiste."),
    # the polite you
    (Clause(USTED, BE, (Being(adjective("ready")),), question="yes-no", inverted=True),
     "Are you ready?", "¿Está usted lista?", "Êtes-vous prête ?"),
    # hunger is had; past of states
    (Clause(ME, BE, (Feeling("hungry"),), "past", negative=True), "I was not hungry.",
     "No tenía hambre.", "Je n'avais pas faim."),
    (Clause(LUCAS, BE, (Feeling("age", 21),)), "Lucas is twenty-one years old.",
     "Lucas tiene veintiún años.", "Lucas a vingt et un ans."),
    # comparison
    (Clause(CAT, BE, (Being(adjective("big"), "more", phrase("mouse")),)),
     "The cat is bigger than the mouse.", "El gato es más grande que el ratón.",
     "Le chat est plus grand que la souris."),
    (Clause(TEACHER, BE, (Being(adjective("tall"), "as", phrase("student")),)),
     "The teacher is as tall as the student.", "La profesora es tan alta como el estudiante.",
     "La professeure est aussi grande que l'étudiant."),
    # what is liked is the subject in Spanish
    (Clause(SISTER, LIKE, (phrase("strawberry", "bare", plural=True),)),
     "My sisters like strawberries.", "A mis hermanas les gustan las fresas.",
     "Mes sœurs aiment les fraises."),
    (Clause(ME, LIKE, (Doing(VERBS["swim"]),), negative=True), "I do not like to swim.",
     "No me gusta nadar.", "Je n'aime pas nager."),
    # modal verbs
    (Clause(SHE, CAN, (Doing(VERBS["open"], (phrase("door"),)),), negative=True),
     "She cannot open the door.", "Ella no puede abrir la puerta.",
     "Elle ne peut pas ouvrir la porte."),
    (Clause(HE, WANT, (Doing(VERBS["call"], (phrase("doctor"),)),)), "He wants to call the doctor.",
     "Él quiere llamar al médico.", "Il veut appeler le médecin."),
    # in progress
    (Clause(THEY, BE, (Doing(VERBS["write"], (phrase("letter", "a"),)),), time=time("now")),
     "They are writing a letter now.", "Ellas están escribiendo una carta ahora.",
     "Elles sont en train d'écrire une lettre maintenant."),
    # never, always
    (Clause(ME, VERBS["eat"], (phrase("meat", "bare"),), adverb="never"), "I never eat meat.",
     "Nunca como carne.", "Je ne mange jamais de viande."),
    (Clause(LUCAS, BE, (Being(adjective("happy")),), adverb="always"), "Lucas is always happy.",
     "Lucas siempre está contento.", "Lucas est toujours content."),
    # time first
    (Clause(ANA, VERBS["buy"], (phrase("hat", "many", True),), "future", time=time("tomorrow"),
            time_first=True), "Tomorrow Ana will buy many hats.",
     "Mañana Ana comprará muchos sombreros.", "Demain, Ana achètera beaucoup de chapeaux."),
    # what there is, and what there is not
    (There(phrase("dog", "number", True, number=3), Place("under", phrase("table"))),
     "There are three dogs under the table.", "Hay tres perros debajo de la mesa.",
     "Il y a trois chiens sous la table."),
    (There(phrase("bread", "bare"), Place("next to", phrase("bridge")), negative=True),
     "There is no bread next to the bridge.", "No hay pan al lado del puente.",
     "Il n'y a pas de pain à côté du pont."),
    # to have none
    (Clause(YOU, HAVE, (phrase("bicycle", "a"),), negative=True), "You do not have a bicycle.",
     "No tienes bicicleta.", "Tu n'as pas de vélo."),
    # questions
    (Clause(ANA, VERBS["speak"], (), question="yes-no", inverted=True), "Does Ana speak?",
     "¿Habla Ana?", "Ana parle-t-elle ?"),
    (Clause(HE, VERBS["eat"], (), "past", question="what"), "What did he eat?", "¿Qué comió él?",
     "Qu'est-ce qu'il a mangé ?"),
    (Clause(Pronoun(2), VERBS["close"], (phrase("window"),), "past", question="who"),
     "Who closed the window?", "¿Quién cerró la ventana?", "Qui a fermé la fenêtre ?"),
    (Clause(phrase("shoe", plural=True, owner=YOU), BE, (), question="where"),
     "Where are your shoes?", "¿Dónde están tus zapatos?", "Où sont tes chaussures ?"),
    (Clause(YOU, HAVE, (), question="how many", counted=noun("apple"), inverted=True),
     "How many apples do you have?", "¿Cuántas manzanas tienes?", "Combien de pommes as-tu ?"),
    (Clause(YOU, BE, (), question="how old", inverted=True), "How old are you?",
     "¿Cuántos años tienes?", "Quel âge as-tu ?"),
    (Clause(phrase("boy"), VERBS["run"], (), question="why"), "Why does the boy run?",
     "¿Por qué corre el niño?", "Pourquoi est-ce que le garçon court ?"),
    (Clause(SHE, VERBS["arrive"], (), "future", question="when", inverted=True),
     "When will she arrive?", "¿Cuándo llegará ella?", "Quand arrivera-t-elle ?"),
    # an order, with a spelling of its own
    (Command(VERBS["put"], (phrase("key"), Place("on", phrase("chair")))),
     "Put the key on the chair!", "¡Pon la llave en la silla!", "Mets la clé sur la chaise !"),
    (Command(VERBS["open"], (phrase("door"),)), "Open the door!", "¡Abre la puerta!",
     "Ouvre la porte !"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "en", "es", "fr"), GOLDEN, ids=[row[1] for row in GOLDEN])
def test_a_construction_in_three_languages(sentence: Sentence, en: str, es: str, fr: str) -> None:
    assert [english.write(sentence), spanish.write(sentence), french.write(sentence)] == [
        en,
        es,
        fr,
    ]


VERB_FORMS = {
    spanish: """
        hablar present hablo hablas habla hablamos habláis hablan
        escribir present escribo escribes escribe escribimos escribís escriben
        buscar past busqué buscaste buscó buscamos buscasteis buscaron
        llegar past llegué llegaste llegó llegamos llegasteis llegaron
        vender past vendí vendiste vendió vendimos vendisteis vendieron
        venir future vendré vendrás vendrá vendremos vendréis vendrán""",
    french: """
        manger present mange manges mange mangeons mangez mangent
        attendre present attends attends attend attendons attendez attendent
        acheter future achèterai achèteras achètera achèterons achèterez achèteront
        lire future lirai liras lira lirons lirez liront
        être past étais étais était étions étiez étaient""",
}


def test_verbs() -> None:
    for language, table in VERB_FORMS.items():
        for infinitive, tense, *forms in map(str.split, table.strip().splitlines()):
            assert [language.conjugate(infinitive, tense, i) for i in range(6)] == forms


def test_plurals() -> None:
    for plural, pairs in (
        (lambda word: english.noun_form(noun(word), True),
         "strawberry strawberries box boxes boy boys mouse mice"),
        (spanish.pluralise,
         "lápiz lápices jardín jardines paraguas paraguas café cafés joven jóvenes"),
        (french.pluralise, "cheval chevaux bateau bateaux bus bus clé clés"),
    ):  # fmt: skip
        words = pairs.split()
        assert [plural(word) for word in words[::2]] == words[1::2]
