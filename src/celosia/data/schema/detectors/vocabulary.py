"""The words of column names, Spanish and English, and what each says about its column."""

from __future__ import annotations

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


def _concept(
    name: str, role: Role, words: str, *, weak: bool = False, category: bool = False, per_person: bool = False
) -> Concept:
    listed = tuple(" ".join(phrase.split()) for phrase in words.split(","))
    return Concept(name, role, listed, is_weak=weak, is_category=category, per_person=per_person)


_I, _Q, _S = Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.SENSITIVE

CONCEPTS: tuple[Concept, ...] = (
    _concept(
        "identity number",
        _I,
        """dni, nif, nie, cif, national id, id card, identity card, identity number, identity document, documento
        identidad, numero documento, nro documento, num documento, tipo numero documento, documento nacional
        identidad, cedula, cedula ciudadania, cedula extranjeria, curp, rfc, rut, cuit, cuil, nit, cpf, ssn, social
        security, social security number, seguridad social, numero seguridad social, nss, nuss, naf, numero
        afiliacion, tax id, tin, passport, passport number, pasaporte, numero pasaporte, driving
        licence, drivers license, driver license, permiso conducir, carne conducir""",
        per_person=True,
    ),
    _concept(
        "number of a person's file",
        _I,
        """student id, student number, student no, id student, id alumno, id estudiante, numero alumno, num alumno,
        numero estudiante, codigo alumno, codigo estudiante, niu, nia, patient id, patient number, patient no,
        id paciente, numero paciente, codigo paciente, medical record, medical record number, mrn, historia
        clinica, numero historia, nhc, health card, health card number, tarjeta sanitaria, cip, sip, nhs number,
        hospital number, employee id, employee number, id empleado, numero empleado, codigo empleado, staff id,
        customer id, client id, id cliente, codigo cliente, numero cliente, member id, membership number, id
        socio, numero socio, user id, id usuario, person id, id persona, pid, subject id, participant id,
        respondent id, id sujeto, id participante, expediente, numero expediente, case number, case id, voter
        id, id ciudadano, codigo persona, numero matricula, enrolment number, enrollment number""",
        per_person=True,
    ),
    _concept(
        "contact",
        _I,
        """email, e mail, mail, correo, correo electronico, email address, phone, telephone, mobile, cell phone,
        fax, phone number, telefono, tfno, tlf, tel, movil, celular, whatsapp, address, home address, street,
        street address, direccion, domicilio, calle, piso, portal, residencia exacta, postal address, direccion
        postal""",
    ),
    _concept(
        "account or card",
        _I,
        """iban, bic, ccc, bank account, account, account number, cuenta, cuenta bancaria, numero cuenta, card
        number, credit card, credit card number, debit card, tarjeta, tarjeta credito, numero tarjeta, policy
        number, poliza, numero poliza, invoice, factura, numero factura, order number, numero pedido,
        transaction id""",
    ),
    _concept(
        "device, vehicle or web account",
        _I,
        """ip, ip address, direccion ip, mac address, imei, imsi, device id, cookie, session id, url, web, website,
        pagina web, link, enlace, username, user name, user, usuario, login, nick, nickname, alias, handle,
        twitter, facebook, instagram, linkedin, github, orcid, password, contrasena, matricula, license plate,
        licence plate, number plate, placa, vin, bastidor, numero bastidor, serial number, numero serie,
        referencia catastral, rowid, uuid, guid, hash, token, firma, signature, photo, foto, picture,
        fingerprint, huella""",
    ),
    _concept(
        "a person's name",
        _I,
        """first name, given name, forename, last name, surname, family name, full name, middle name, maiden name,
        firstname, lastname, fullname, nombre completo, nombre pila, nombre apellido, apellido, apellido nombre,
        primer apellido, segundo apellido, ape1, ape2, ap1, ap2, apellido1, apellido2, nombre1, nombre2,
        initial, initials, iniciales""",
    ),
    _concept(
        "free text, which can hold anything",
        _I,
        "comentario, comment, observacion, observation, remark, note text, feedback, texto libre, "
        "free text, mensaje, message",
    ),
    _concept("a name", _I, "name, nombre, nom", weak=True),
    _concept(
        "a number or code of its own",
        _I,
        """id, ident, identifier, identificador, identificacion, identification, key, clave, code, codigo, cod,
        ref, referencia, reference, registro, record, index, indice, row, fila, linea, serial, folio, ticket,
        uid, documento""",
        weak=True,
    ),
    Concept("a row number", _I, ("number", "no", "num", "nro", "numero", "n", "nº", "orden", "order"), is_whole=True),
    _concept(
        "a person",
        _I,
        """student, alumno, alumna, estudiante, alumnado, patient, paciente, employee, empleado, empleada,
        trabajador, worker, customer, client, cliente, member, socio, person, persona, individuo, individual,
        sujeto, participant, participante, respondent, encuestado, candidate, candidato, solicitante, applicant""",
        weak=True,
        per_person=True,
    ),
    _concept(
        "another person",
        _I,
        """titular, owner, propietario, beneficiario, beneficiary, contact, contacto, padre, madre, father, mother,
        conyuge, spouse, autor, author, investigador""",
        weak=True,
    ),
    _concept("age", _Q, "age, edad, alter, years old, anos edad, grupo edad, age group, tramo edad, rango edad"),
    _concept(
        "sex",
        _Q,
        "sex, sexo, gender, genero, sex code",
        category=True,
    ),
    _concept(
        "birth",
        _Q,
        """birth, birth date, birthdate, date birth, dob, birthday, year birth, birth year, yob, fecha nacimiento,
        fec nacimiento, f nacimiento, fnac, fecnac, nacimiento, fecha nac, ano nacimiento, cumpleanos""",
    ),
    _concept(
        "birthplace",
        _Q,
        "birthplace, place birth, birth place, lugar nacimiento, country birth, pais nacimiento",
        category=True,
    ),
    _concept(
        "postcode",
        _Q,
        """zip, zipcode, zip code, postcode, post code, postal code, postal, cp, codigo postal, cod postal,
        codpostal, c postal, codpos, plz""",
    ),
    _concept(
        "place",
        _Q,
        """town, city, municipality, municipio, ciudad, localidad, poblacion, pueblo, place, lugar, village,
        district, distrito, barrio, neighbourhood, neighborhood, borough, county, comarca, provincia, province,
        region, comunidad, comunidad autonoma, ccaa, state, estado, country, pais, location, ubicacion, area,
        zona, zone, seccion censal, census tract, residence, residencia, origen, origin, native country, destino""",
        category=True,
    ),
    _concept(
        "coordinates",
        _Q,
        "latitude, latitud, lat, longitude, longitud, lon, lng, coordinate, coordenada, gps, utm x, utm y",
    ),
    _concept(
        "nationality or origin",
        _Q,
        """nationality, nacionalidad, citizenship, ciudadania, mother tongue, native language, language, idioma,
        lengua materna""",
        category=True,
    ),
    _concept(
        "family",
        _Q,
        """marital status, marital, civil status, estado civil, children, hijo, number children, num hijo, numero
        hijo, household, household size, hogar, relationship, parentesco, family size, dependent, dependiente,
        miembro hogar""",
    ),
    _concept(
        "education",
        _Q,
        """education, educacion, education level, estudio, nivel estudio, nivel educativo, formacion, degree,
        titulacion, titulo, qualification, schooling, escolaridad, education num, carrera""",
    ),
    _concept(
        "work",
        _Q,
        """job, job title, occupation, ocupacion, profession, profesion, trabajo, puesto, cargo, position,
        workclass, employment, empleo, situacion laboral, employment status, employer, empresa, company, firm,
        sector, industry, cnae, cno, categoria profesional, rank, antiguedad, seniority,
        jornada, contrato, contract, tipo contrato, hours per week, horas semana""",
    ),
    _concept(
        "organisation",
        _Q,
        """school, colegio, instituto, centro, centre, center, university, universidad, faculty, facultad,
        department, departamento, unidad, unit, hospital, clinic, clinica, ward, planta, servicio, centro salud,
        health centre, health center, area salud, team, equipo, club, organisation, organization, entidad, sede,
        campus""",
        category=True,
    ),
    _concept(
        "course",
        _Q,
        """course, curso, grado, grade level, aula, turno, shift, year study, semester,
        semestre, trimestre, convocatoria, year group, cohort, promocion""",
    ),
    _concept("a group", _Q, "class, clase, group, grupo, category, categoria, type, tipo, level, nivel", weak=True),
    _concept("school subject", _Q, "subject, asignatura, materia, module, modulo", category=True),
    _concept(
        "mark",
        _Q,
        """mark, nota, calificacion, grade, score, puntuacion, puntos, points, result, resultado, promedio,
        average, mean, media, gpa, exam, examen, test, prueba, parcial, final, practica, practical,
        participation, participacion, trabajo curso, homework, essay, assessment, evaluacion, asistencia,
        attendance""",
    ),
    _concept(
        "a third person",
        _Q,
        """professor, profesor, profesora, profesorado, teacher, docente, lecturer, instructor, tutor, tutora,
        maestro, doctor, doctora, medico, physician, facultativo, supervisor, manager, jefe, responsable,
        evaluator, evaluador, examiner, examinador, interviewer, entrevistador, agente, vendedor, seller""",
        category=True,
    ),
    _concept(
        "date",
        _Q,
        """date, fecha, time, hora, day, dia, month, mes, year, ano, timestamp, marca temporal, datetime, week,
        semana, admission, admission date, ingreso, fecha ingreso, alta, fecha alta, baja, fecha baja,
        discharge, visit, visita, quarter, periodo, period, ejercicio""",
        weak=True,
    ),
    _concept(
        "body",
        _Q,
        """height, altura, estatura, talla, weight, peso, bmi, imc, eye colour, color ojo, hair colour, color pelo,
        shoe size""",
    ),
    _concept(
        "an amount",
        _Q,
        """sale, venta, price, precio, cost, coste, costo, quantity, cantidad, measurement, medicion, medida,
        distance, distancia, temperature, temperatura, duration, duracion""",
    ),
    _concept("a thing", _Q, "product, producto, sku, article, articulo, item", category=True),
    _concept(
        "housing or vehicle",
        _Q,
        """housing, vivienda, tipo vivienda, tenure, rooms, habitacion, car, coche, vehicle, vehiculo, marca,
        modelo, brand, model""",
    ),
    _concept(
        "health",
        _S,
        """health, salud, health status, estado salud, diagnosis, diagnostic, diagnostico, disease, enfermedad,
        illness, condition, condicion medica, patologia, pathology, symptom, sintoma, treatment, tratamiento,
        medication, medicacion, medicamento, drug, farmaco, dose, dosis, allergy, alergia, disability,
        discapacidad, minusvalia, hiv, vih, sida, cancer, tumor, tumour, diabetes, covid, vaccine, vacuna,
        blood, sangre, blood type, blood group, grupo sanguineo, blood pressure, tension arterial, presion
        arterial, cholesterol, colesterol, glucose, glucosa, pregnancy, embarazo, abortion, aborto, mental
        health, salud mental, depression, depresion, anxiety, ansiedad, addiction, adiccion, alcohol, smoker,
        fumador, tabaco, smoking, icd, icd10, cie, cie10, genetic, genetica, gene, dna, adn, surgery, cirugia,
        intervencion, procedure, prognosis, pronostico, cause death, causa muerte, death, fallecimiento, exitus,
        outcome, biopsy, biopsia, lab result, analitica""",
    ),
    _concept(
        "money",
        _S,
        """salary, salario, sueldo, wage, nomina, income, ingresos, ingreso anual, account balance, saldo cuenta,
        ingreso bruto, renta, earning, pay, remuneracion, retribucion, ganancia, debt, deuda, loan, prestamo,
        hipoteca, mortgage, credit, credito, credit score, balance, saldo, wealth, patrimonio, capital gain,
        capital loss, expense, gasto, amount, importe, subsidy, subsidio, ayuda, beca, scholarship, pension,
        arrears, morosidad, impago, default, bonus, amount due""",
    ),
    _concept(
        "belief or opinion",
        _S,
        """religion, faith, creencia, confesion, belief, ideology, ideologia, politics, political party, political
        opinion, party, partido, partido politico, opinion politica, vote, voto, voting, union, trade union,
        sindicato, afiliacion sindical, afiliacion politica""",
    ),
    _concept(
        "origin or sexuality",
        _S,
        """race, raza, ethnicity, ethnic, ethnic group, etnia, origen etnico, origen racial, sexual orientation,
        orientacion sexual, sexuality, sexualidad, sexual life, vida sexual, gender identity, identidad genero""",
    ),
    _concept(
        "offence or need",
        _S,
        """crime, delito, offence, offense, conviction, condena, criminal record, antecedente, antecedente penal,
        sentence, pena, sanction, sancion, multa, fine, violence, violencia, victim, victima, abuse, maltrato,
        migration status, situacion administrativa, refugee, refugiado, special needs, necesidad especial,
        necesidad educativa""",
    ),
    _concept("a secret", _S, "secret, secreto, sensitive, sensible, confidential, confidencial, private, privado"),
)
