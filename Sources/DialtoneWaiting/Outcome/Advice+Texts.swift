// SPDX-License-Identifier: Apache-2.0

/// The texts in English.
let english: [RequestOutcome.Code: Advice] = [
    .delivered: Advice(title: "Online", instruction: "Based upon your last request, you are online."),
    .serverError: Advice(
        title: "The server has a problem", instruction: "Your connection works. Please try again later."),
    .clientError: Advice(
        title: "The server declined the request",
        instruction: "Your connection works. Check what you entered and whether you are signed in."),
    .unexpectedBody: Advice(
        title: "Unexpected answer",
        instruction: "Something answered, but not as expected. If this network has a login page, sign in there first."),
    .offline: Advice(title: "You are offline", instruction: "Check your connection and try again."),
    .timedOut: Advice(
        title: "No answer in time",
        instruction: "You are connected, but the server did not answer. Try again, or try another network."),
    .nameNotFound: Advice(
        title: "Server not found",
        instruction: "You are connected, but the server's name was not found. Check the address and try again."),
    .cannotConnect: Advice(
        title: "Server not reachable",
        instruction: "You are connected, but the server does not accept connections. Please try again later."),
    .connectionLost: Advice(title: "Connection lost", instruction: "The connection broke off. Please try again."),
    .tlsFailure: Advice(
        title: "No secure connection",
        instruction:
            "The server could not prove who it is. Check this device's date and time, and whether this network "
            + "can be trusted."),
    .captivePortal: Advice(
        title: "Sign in to the network", instruction: "This network requires you to sign in before you can go online."),
    .cancelled: Advice(title: "Cancelled", instruction: "The request was cancelled."),
    .failed: Advice(title: "That did not work", instruction: "The request failed. Please try again."),
]

/// The texts in German.
let german: [RequestOutcome.Code: Advice] = [
    .delivered: Advice(title: "Online", instruction: "Nach Ihrer letzten Anfrage zu urteilen, sind Sie online."),
    .serverError: Advice(
        title: "Der Server hat ein Problem",
        instruction: "Ihre Verbindung funktioniert. Bitte versuchen Sie es später noch einmal."),
    .clientError: Advice(
        title: "Der Server lehnt die Anfrage ab",
        instruction: "Ihre Verbindung funktioniert. Prüfen Sie Ihre Eingaben und ob Sie angemeldet sind."),
    .unexpectedBody: Advice(
        title: "Unerwartete Antwort",
        instruction:
            "Es kam eine Antwort, aber nicht die erwartete. Falls dieses Netz eine Anmeldeseite hat, melden Sie "
            + "sich zuerst dort an."),
    .offline: Advice(
        title: "Sie sind offline", instruction: "Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal."),
    .timedOut: Advice(
        title: "Keine Antwort",
        instruction: "Sie sind verbunden, aber der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es noch "
            + "einmal oder in einem anderen Netz."),
    .nameNotFound: Advice(
        title: "Server nicht gefunden",
        instruction: "Sie sind verbunden, aber der Name des Servers wurde nicht gefunden. Prüfen Sie die Adresse."),
    .cannotConnect: Advice(
        title: "Server nicht erreichbar",
        instruction: "Sie sind verbunden, aber der Server nimmt keine Verbindung an. Bitte versuchen Sie es später "
            + "noch einmal."),
    .connectionLost: Advice(
        title: "Verbindung abgebrochen",
        instruction: "Die Verbindung ist abgebrochen. Bitte versuchen Sie es noch einmal."),
    .tlsFailure: Advice(
        title: "Keine sichere Verbindung",
        instruction: "Der Server konnte sich nicht ausweisen. Prüfen Sie Datum und Uhrzeit dieses Geräts und ob Sie "
            + "diesem Netz vertrauen können."),
    .captivePortal: Advice(
        title: "Anmeldung im Netz nötig",
        instruction: "Dieses Netz verlangt eine Anmeldung, bevor Sie online gehen können."),
    .cancelled: Advice(title: "Abgebrochen", instruction: "Die Anfrage wurde abgebrochen."),
    .failed: Advice(
        title: "Das hat nicht geklappt",
        instruction: "Die Anfrage ist fehlgeschlagen. Bitte versuchen Sie es noch einmal."),
]

/// The texts for statuses without an outcome, in English.
let englishStates: [RequestStatus.State: Advice] = [
    .unknown: Advice(title: "Not known yet", instruction: "Request data to find out."),
    .checking: Advice(title: "Checking", instruction: "The request is under way."),
]

/// The texts for statuses without an outcome, in German.
let germanStates: [RequestStatus.State: Advice] = [
    .unknown: Advice(title: "Noch unbekannt", instruction: "Fragen Sie Daten an, um es herauszufinden."),
    .checking: Advice(title: "Wird geprüft", instruction: "Die Anfrage läuft."),
]
