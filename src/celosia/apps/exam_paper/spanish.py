"""What the reproduction says in Spanish."""

from __future__ import annotations

MESSAGES = {
    "and": " y ",
    "real": "notas reales",
    "integer": "notas enteras",
    "k_members": "k-members",
    "l_greedy": "l-greedy",
    "title": "El experimento del artículo de los exámenes, repetido",
    "table_title": "{marks}, {n_students} estudiantes (tablas: {n_seeds})",
    "k": "k (riesgo)",
    "gcp": "GCP {algorithm}",
    "curve": "{algorithm}: media, banda de menor a mayor",
    "bound": "cota inferior",
    "bound_line": "cota inferior de toda agrupación",
    "printed": "impreso",
    "printed_line": "impreso en el artículo (sus dos extremos)",
    "limit_line": "impreso en el artículo: menos de un segundo",
    "time": "búsqueda, ms",
    "verdicts": "Lo que dice el artículo y lo que resulta",
    "k_axis": "k",
    "gcp_axis": "GCP (parte de la información perdida)",
    "time_axis": "tiempo de búsqueda en milisegundos",
    "all_k": "Otros {n_left} valores de k están en --json y en --out.",
    "definition": (
        "GCP es la parte de la información que se pierde, de 0 a 1: la media de NCP sobre filas y "
        "cuasi-identificadores (ecuación 4 del artículo). Cada celda da la media de las tablas y, detrás, el "
        "valor menor y el mayor."
    ),
    "method": (
        "Las clases vienen directamente de las búsquedas y se miden; no se recodifican ni se auditan, porque no "
        "se publica nada. Los tiempos son de la búsqueda sola, en esta máquina. La tabla y la búsqueda número s "
        "usan la semilla s."
    ),
    "bound_why": (
        "La cota inferior: una clase de k filas contiene, para cada una de sus filas, otra que está al menos tan "
        "lejos como la (k-1)-ésima fila más cercana de la tabla, y ninguna clase pierde menos que cualquiera de "
        "sus pares. La media de estas pérdidas sobre todas las filas es una pérdida que ningún algoritmo puede "
        "rebajar."
    ),
    "repeat": "Cómo repetirlo",
    "written": "results.md, results.json, gcp.svg y time.svg están en",
    "status.holds": "se cumple",
    "status.partly": "se cumple en parte",
    "status.undecided": "sin decidir",
    "status.fails": "no se cumple",
    "status.out_of_reach": "inalcanzable",
    "status.not_checked": "sin comprobar",
    "loss_at.out_of_reach": (
        "Impreso: {printed:.2%} de pérdida con k = {k} (l-greedy). Medido: {measured}; la cifra impresa es "
        "{factor} veces demasiado pequeña. Sea cual sea el algoritmo, ninguna agrupación de estas tablas pierde "
        "menos de {lower_bound:.2%}: con la propia definición del artículo, la cifra impresa es inalcanzable."
    ),
    "loss_at.fails": (
        "Impreso: {printed:.2%} de pérdida con k = {k} (l-greedy). Medido: {measured}, es decir, {factor} veces "
        "más. La cota inferior, {lower_bound:.2%}, no excluye la cifra impresa."
    ),
    "loss_at.holds": "Impreso: {printed:.2%} de pérdida con k = {k} (l-greedy). Medido: {measured}.",
    "loss_at.not_checked": "Impreso: {printed:.2%} de pérdida con k = {k} (l-greedy). Esta k no se ha medido.",
    "mean_loss.out_of_reach": (
        "Impreso: una pérdida media de {printed_l_greedy:.2%} (l-greedy) y {printed_k_members:.2%} (k-members). "
        "Medido con k de {smallest_k} a {largest_k} (en total {n_k}): l-greedy {measured_l_greedy}; k-members "
        "{measured_k_members}. El artículo no dice qué k tomó; pero k = 2 sola ya cuesta al menos "
        "{lower_bound:.2%} con cualquier algoritmo, y una k mayor cuesta más: ninguna elección de k da las medias"
        " impresas."
    ),
    "mean_loss.fails": (
        "Impreso: una pérdida media de {printed_l_greedy:.2%} (l-greedy) y {printed_k_members:.2%} (k-members). "
        "Medido con k de {smallest_k} a {largest_k} (en total {n_k}): l-greedy {measured_l_greedy}; k-members "
        "{measured_k_members}."
    ),
    "mean_loss.holds": (
        "Impreso: una pérdida media de {printed_l_greedy:.2%} (l-greedy) y {printed_k_members:.2%} (k-members). "
        "Medido con k de {smallest_k} a {largest_k} (en total {n_k}): l-greedy {measured_l_greedy}; k-members "
        "{measured_k_members}."
    ),
    "mean_loss.not_checked": (
        "Impreso: una pérdida media de {printed_l_greedy:.2%} (l-greedy) y {printed_k_members:.2%} (k-members). "
        "Medido con k de {smallest_k} a {largest_k} (en total {n_k}): l-greedy {measured_l_greedy}; k-members "
        "{measured_k_members}. Sin k = 2 no se pueden juzgar las medias impresas."
    ),
    "ahead.holds": (
        "Impreso: l-greedy pierde un poco menos. Así es en las {n_tables} tablas (diferencia media {mean_gap:+.4f})."
    ),
    "ahead.undecided": (
        "Impreso: l-greedy pierde un poco menos. Así es en {n_ahead} de {n_tables} tablas (diferencia media "
        "{mean_gap:+.4f}): cuál gana depende de la tabla, de los empates y de la regla para las filas sobrantes."
    ),
    "ahead.fails": (
        "Impreso: l-greedy pierde un poco menos. No es así en ninguna de {n_tables} tablas (diferencia media "
        "{mean_gap:+.4f})."
    ),
    "growth.holds": (
        "Impreso: la pérdida crece con k. Así es en cada uno de los {n_steps} pasos de una k a la siguiente."
    ),
    "growth.partly": (
        "Impreso: la pérdida crece con k. En conjunto sí; en {n_falls} de {n_steps} pasos de una k a la siguiente"
        " baja; {n_fewer_left} de ellos llevan a una k con la que sobran menos filas."
    ),
    "growth.fails": "Impreso: la pérdida crece con k. Baja en {n_falls} de {n_steps} pasos de una k a la siguiente.",
    "growth.not_checked": "Impreso: la pérdida crece con k. Con una sola k no hay nada que comparar.",
    "risk.holds": (
        "Impreso: la probabilidad de reidentificar a un estudiante es 50 % (k = 2) y 2.5 % (k = 40). Las mayores "
        "medidas son {measured_at_2:.1%} y {measured_at_40:.1%}, uno partido por la clase menor. Vale solo para "
        "enlazar por estas columnas, y es la probabilidad de enlazar, no la de saber lo que una clase comparte."
    ),
    "risk.fails": (
        "Impreso: la probabilidad de reidentificar a un estudiante es 50 % (k = 2) y 2.5 % (k = 40). Las mayores "
        "medidas son {measured_at_2:.1%} y {measured_at_40:.1%}."
    ),
    "risk.not_checked": "Impreso: reidentificación 50 % (k = 2) y 2.5 % (k = 40). No se han medido ambas k.",
    "seconds.holds": (
        "Impreso: ambos tardan menos de un segundo. La más lenta de {n_runs} búsquedas ha tardado {slowest:.3f} s aquí."
    ),
    "seconds.fails": (
        "Impreso: ambos tardan menos de un segundo. La más lenta de {n_runs} búsquedas ha tardado {slowest:.3f} s aquí."
    ),
    "over_python.not_checked": (
        "Impreso: al menos {printed} veces más rápido que el Python de los autores de l-greedy. Ese código no se "
        "ejecuta aquí, así que no se dice nada de él. Nuestra propia vara de medir, l-greedy en Python sencillo "
        "escrito para esta orden, tarda {plain_seconds:.2f} s con k = {k}, y la búsqueda compilada "
        "{compiled_seconds:.4f} s: {factor:.0f} veces menos."
    ),
    "share_of_marks.fails": (
        "Impreso: con media 6 y desviación típica 2, alrededor del 68 % de las notas está en [5, 7]. De {n_marks}"
        " notas así sacadas lo está el {within_one:.1%} (la ley normal: {law_within_one:.1%}). En [4, 8] está el "
        "{within_two:.1%} (la ley: {law_within_two:.1%}); el 68 % en [5, 7] corresponde a una desviación típica "
        "de 1 (la ley: {law_within_one_of_deviation_one:.1%})."
    ),
    "share_of_marks.holds": (
        "Impreso: alrededor del 68 % de las notas está en [5, 7]. De {n_marks} notas sacadas lo está el "
        "{within_one:.1%}."
    ),
}
