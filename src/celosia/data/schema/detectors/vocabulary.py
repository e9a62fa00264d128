"""The words of column names, Spanish and English, and what each says about its column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from celosia.data.schema.roles import Role


@dataclass(frozen=True)
class Concept:
    """Something that columns are about.

    Attributes
    ----------
    name
        What it is, for comments.
    role
        The role that it suggests.
    words
        Words and phrases for it: lower case, no accents, singular, without small words such as ``of`` and ``de``.
    is_weak
        Whether any other concept in the same header decides instead: ``name`` in ``town name``.
    is_whole
        Whether its words count only as a whole header: ``number``, but not ``number of visits``.
    is_category
        Whether numbers in it are names of things: 1 = male, 2 = female.
    per_person
        Whether equal values mean the same person.

    Examples
    --------
    >>> next(concept for concept in CONCEPTS if "sexo" in concept.words).role
    <Role.QUASI_IDENTIFIER: 'quasi_identifier'>
    """

    name: str
    role: Role
    words: tuple[str, ...]
    is_weak: bool = False
    is_whole: bool = False
    is_category: bool = False
    per_person: bool = False


_MARKS = {"weak": "is_weak", "whole": "is_whole", "category": "is_category", "per person": "per_person"}

# Role, name and marks of a concept, and its words below.
_VOCABULARY = """
identifier | identity number | per person
    dni, nif, nie, cif, national id, id card, identity card, identity number, identity document, documento identidad,
    numero documento, nro documento, num documento, tipo numero documento, documento nacional identidad, cedula, cedula
    ciudadania, cedula extranjeria, curp, rfc, rut, cuit, cuil, nit, cpf, ssn, social security, social security number,
    seguridad social, numero seguridad social, nss, nuss, naf, numero afiliacion, tax id, tin, passport, passport
    number, pasaporte, numero pasaporte, driving licence, drivers license, driver license, permiso conducir, carne
    conducir
identifier | number of a person's file | per person
    student id, student number, student no, id student, id alumno, id estudiante, numero alumno, num alumno, numero
    estudiante, codigo alumno, codigo estudiante, niu, nia, patient id, patient number, patient no, id paciente, numero
    paciente, codigo paciente, medical record, medical record number, mrn, historia clinica, numero historia, nhc,
    health card, health card number, tarjeta sanitaria, cip, sip, nhs number, hospital number, employee id, employee
    number, id empleado, numero empleado, codigo empleado, staff id, customer id, client id, id cliente, codigo cliente,
    numero cliente, member id, membership number, id socio, numero socio, user id, id usuario, person id, id persona,
    pid, subject id, participant id, respondent id, id sujeto, id participante, expediente, numero expediente, case
    number, case id, voter id, id ciudadano, codigo persona, numero matricula, enrolment number, enrollment number
identifier | contact
    email, e mail, mail, correo, correo electronico, email address, phone, telephone, mobile, cell phone, fax, phone
    number, telefono, tfno, tlf, tel, movil, celular, whatsapp, address, home address, street, street address,
    direccion, domicilio, calle, piso, portal, residencia exacta, postal address, direccion postal
identifier | account or card
    iban, bic, ccc, bank account, account, account number, cuenta, cuenta bancaria, numero cuenta, card number, credit
    card, credit card number, debit card, tarjeta, tarjeta credito, numero tarjeta, policy number, poliza, numero
    poliza, invoice, factura, numero factura, order number, numero pedido, transaction id
identifier | device, vehicle or web account
    ip, ip address, direccion ip, mac address, imei, imsi, device id, cookie, session id, url, web, website, pagina web,
    link, enlace, username, user name, user, usuario, login, nick, nickname, alias, handle, twitter, facebook,
    instagram, linkedin, github, orcid, password, contrasena, matricula, license plate, licence plate, number plate,
    placa, vin, bastidor, numero bastidor, serial number, numero serie, referencia catastral, rowid, uuid, guid, hash,
    token, firma, signature, photo, foto, picture, fingerprint, huella
identifier | a person's name
    first name, given name, forename, last name, surname, family name, full name, middle name, maiden name, firstname,
    lastname, fullname, nombre completo, nombre pila, nombre apellido, apellido, apellido nombre, primer apellido,
    segundo apellido, ape1, ape2, ap1, ap2, apellido1, apellido2, nombre1, nombre2, initial, initials, iniciales
identifier | free text, which can hold anything
    comentario, comment, observacion, observation, remark, note text, feedback, texto libre, free text, mensaje, message
identifier | a name | weak
    name, nombre, nom
identifier | a number or code of its own | weak
    id, ident, identifier, identificador, identificacion, identification, key, clave, code, codigo, cod, ref,
    referencia, reference, registro, record, index, indice, row, fila, linea, serial, folio, ticket, uid, documento
identifier | a row number | whole
    number, no, num, nro, numero, n, nº, orden, order
identifier | a person | weak | per person
    student, alumno, alumna, estudiante, alumnado, patient, paciente, employee, empleado, empleada, trabajador, worker,
    customer, client, cliente, member, socio, person, persona, individuo, individual, sujeto, participant, participante,
    respondent, encuestado, candidate, candidato, solicitante, applicant
identifier | another person | weak
    titular, owner, propietario, beneficiario, beneficiary, contact, contacto, padre, madre, father, mother, conyuge,
    spouse, autor, author, investigador
quasi_identifier | age
    age, edad, alter, years old, anos edad, grupo edad, age group, tramo edad, rango edad
quasi_identifier | sex | category
    sex, sexo, gender, genero, sex code
quasi_identifier | birth
    birth, birth date, birthdate, date birth, dob, birthday, year birth, birth year, yob, fecha nacimiento, fec
    nacimiento, f nacimiento, fnac, fecnac, nacimiento, fecha nac, ano nacimiento, cumpleanos
quasi_identifier | birthplace | category
    birthplace, place birth, birth place, lugar nacimiento, country birth, pais nacimiento
quasi_identifier | postcode
    zip, zipcode, zip code, postcode, post code, postal code, postal, cp, codigo postal, cod postal, codpostal, c
    postal, codpos, plz
quasi_identifier | place | category
    town, city, municipality, municipio, ciudad, localidad, poblacion, pueblo, place, lugar, village, district,
    distrito, barrio, neighbourhood, neighborhood, borough, county, comarca, provincia, province, region, comunidad,
    comunidad autonoma, ccaa, state, estado, country, pais, location, ubicacion, area, zona, zone, seccion censal,
    census tract, residence, residencia, origen, origin, native country, destino
quasi_identifier | coordinates
    latitude, latitud, lat, longitude, longitud, lon, lng, coordinate, coordenada, gps, utm x, utm y
quasi_identifier | nationality or origin | category
    nationality, nacionalidad, citizenship, ciudadania, mother tongue, native language, language, idioma, lengua materna
quasi_identifier | family
    marital status, marital, civil status, estado civil, children, hijo, number children, num hijo, numero hijo,
    household, household size, hogar, relationship, parentesco, family size, dependent, dependiente, miembro hogar
quasi_identifier | education
    education, educacion, education level, estudio, nivel estudio, nivel educativo, formacion, degree, titulacion,
    titulo, qualification, schooling, escolaridad, education num, carrera
quasi_identifier | work
    job, job title, occupation, ocupacion, profession, profesion, trabajo, puesto, cargo, position, workclass,
    employment, empleo, situacion laboral, employment status, employer, empresa, company, firm, sector, industry, cnae,
    cno, categoria profesional, rank, antiguedad, seniority, jornada, contrato, contract, tipo contrato, hours per week,
    horas semana
quasi_identifier | organisation | category
    school, colegio, instituto, centro, centre, center, university, universidad, faculty, facultad, department,
    departamento, unidad, unit, hospital, clinic, clinica, ward, planta, servicio, centro salud, health centre, health
    center, area salud, team, equipo, club, organisation, organization, entidad, sede, campus
quasi_identifier | course
    course, curso, grado, grade level, aula, turno, shift, year study, semester, semestre, trimestre, convocatoria, year
    group, cohort, promocion
quasi_identifier | a group | weak
    class, clase, group, grupo, category, categoria, type, tipo, level, nivel
quasi_identifier | school subject | category
    subject, asignatura, materia, module, modulo
quasi_identifier | mark
    mark, nota, calificacion, grade, score, puntuacion, puntos, points, result, resultado, promedio, average, mean,
    media, gpa, exam, examen, test, prueba, parcial, final, practica, practical, participation, participacion, trabajo
    curso, homework, essay, assessment, evaluacion, asistencia, attendance
quasi_identifier | a third person | category
    professor, profesor, profesora, profesorado, teacher, docente, lecturer, instructor, tutor, tutora, maestro, doctor,
    doctora, medico, physician, facultativo, supervisor, manager, jefe, responsable, evaluator, evaluador, examiner,
    examinador, interviewer, entrevistador, agente, vendedor, seller
quasi_identifier | date | weak
    date, fecha, time, hora, day, dia, month, mes, year, ano, timestamp, marca temporal, datetime, week, semana,
    admission, admission date, ingreso, fecha ingreso, alta, fecha alta, baja, fecha baja, discharge, visit, visita,
    quarter, periodo, period, ejercicio
quasi_identifier | body
    height, altura, estatura, talla, weight, peso, bmi, imc, eye colour, color ojo, hair colour, color pelo, shoe size
quasi_identifier | an amount
    sale, venta, price, precio, cost, coste, costo, quantity, cantidad, measurement, medicion, medida, distance,
    distancia, temperature, temperatura, duration, duracion
quasi_identifier | a thing | category
    product, producto, sku, article, articulo, item
quasi_identifier | housing or vehicle
    housing, vivienda, tipo vivienda, tenure, rooms, habitacion, car, coche, vehicle, vehiculo, marca, modelo, brand,
    model
sensitive | health
    health, salud, health status, estado salud, diagnosis, diagnostic, diagnostico, disease, enfermedad, illness,
    condition, condicion medica, patologia, pathology, symptom, sintoma, treatment, tratamiento, medication, medicacion,
    medicamento, drug, farmaco, dose, dosis, allergy, alergia, disability, discapacidad, minusvalia, hiv, vih, sida,
    cancer, tumor, tumour, diabetes, covid, vaccine, vacuna, blood, sangre, blood type, blood group, grupo sanguineo,
    blood pressure, tension arterial, presion arterial, cholesterol, colesterol, glucose, glucosa, pregnancy, embarazo,
    abortion, aborto, mental health, salud mental, depression, depresion, anxiety, ansiedad, addiction, adiccion,
    alcohol, smoker, fumador, tabaco, smoking, icd, icd10, cie, cie10, genetic, genetica, gene, dna, adn, surgery,
    cirugia, intervencion, procedure, prognosis, pronostico, cause death, causa muerte, death, fallecimiento, exitus,
    outcome, biopsy, biopsia, lab result, analitica
sensitive | money
    salary, salario, sueldo, wage, nomina, income, ingresos, ingreso anual, account balance, saldo cuenta, ingreso
    bruto, renta, earning, pay, remuneracion, retribucion, ganancia, debt, deuda, loan, prestamo, hipoteca, mortgage,
    credit, credito, credit score, balance, saldo, wealth, patrimonio, capital gain, capital loss, expense, gasto,
    amount, importe, subsidy, subsidio, ayuda, beca, scholarship, pension, arrears, morosidad, impago, default, bonus,
    amount due
sensitive | belief or opinion
    religion, faith, creencia, confesion, belief, ideology, ideologia, politics, political party, political opinion,
    party, partido, partido politico, opinion politica, vote, voto, voting, union, trade union, sindicato, afiliacion
    sindical, afiliacion politica
sensitive | origin or sexuality
    race, raza, ethnicity, ethnic, ethnic group, etnia, origen etnico, origen racial, sexual orientation, orientacion
    sexual, sexuality, sexualidad, sexual life, vida sexual, gender identity, identidad genero
sensitive | offence or need
    crime, delito, offence, offense, conviction, condena, criminal record, antecedente, antecedente penal, sentence,
    pena, sanction, sancion, multa, fine, violence, violencia, victim, victima, abuse, maltrato, migration status,
    situacion administrativa, refugee, refugiado, special needs, necesidad especial, necesidad educativa
sensitive | a secret
    secret, secreto, sensitive, sensible, confidential, confidencial, private, privado
"""


def _concepts() -> Iterator[Concept]:
    for paragraph in re.split(r"\n(?=\S)", _VOCABULARY.strip()):
        head, words = paragraph.split("\n", 1)
        role, name, *marks = head.split(" | ")
        listed = tuple(" ".join(phrase.split()) for phrase in words.split(","))
        yield Concept(name, Role(role), listed, **{_MARKS[mark]: True for mark in marks})


CONCEPTS: tuple[Concept, ...] = tuple(_concepts())
