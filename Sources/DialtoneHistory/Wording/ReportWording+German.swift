// SPDX-License-Identifier: Apache-2.0

import Dialtone

extension ReportWording {
    static let german = ReportWording(
        language: .german, name: "Deutsch", decimalSeparator: ",",
        labels: [
            .title: "Internetausfälle am Gerät {0}", .machine: "Gerät", .link: "Schnittstelle", .notKnown: "unbekannt",
            .period: "Zeitraum", .fromTo: "{0} bis {1}, {2}", .times: "Zeiten", .local: "Ortszeit, UTC{0}",
            .otherOffsets: "{0}, wenn nicht anders angegeben",
            .available: "Verfügbar", .ofKnownTime: "{0} der bekannten Zeit ({1})",
            .notEnough: "Die Verfügbarkeit ist noch nicht bekannt: Es wurden weniger als 5 min beobachtet",
            .pathOnly: "In {0} der bekannten Zeit gab es eine Verbindung; das Internet wurde nicht geprüft",
            .nothingRecorded: "In dieser Zeit wurde nichts aufgezeichnet",
            .agreed: "Vereinbart",
            .allowance:
                "{0}, also höchstens {1} ohne Internet in diesem Zeitraum. Ohne Internet: {2}; davon hinter dem Router: {3}",
            .kept: "{0}, wie vereinbart", .exceeded: "{0}, mehr als vereinbart",
            .undecided: "{0}, zu knapp für eine Aussage",
            .note: "Vermerk", .made: "Erstellt", .madeBy: "{0} mit dialtone",
            .method: """
            Das Programm dialtone auf diesem Gerät hat aufgezeichnet, was das Betriebssystem über die Verbindung meldet, und was der \
            Router, die Nameserver und die Server mehrerer Betreiber auf kleine Anfragen geantwortet haben, soweit diese Anfragen \
            eingeschaltet sind. Ein Ausfall beginnt, wenn er sich zum ersten Mal zeigt, und endet, wenn das Internet zum ersten Mal \
            wieder antwortet. Beides kann früher gewesen sein, nie später: frühestens bei der letzten Beobachtung, die noch das \
            Gegenteil zeigte. Die Zeit dazwischen ist die Unsicherheit.
            """,
            .advice: """
            Was Sie tun können: Lagen die Ausfälle vor allem hinter dem Router, geben Sie dieses Blatt Ihrem Anbieter oder der \
            Stelle, die den Anschluss des Hauses betreibt; lagen sie am Router, dem Besitzer des Routers. Lagen sie an diesem Gerät \
            oder seiner Verbindung, prüfen Sie das Kabel oder das WLAN, und ob der Router Strom hatte: Ein Router ohne Strom sieht \
            von hier wie ein gezogenes Kabel aus. Auch eine Störung beim Anbieter lässt sich von hier nicht von einem defekten Kabel \
            oder Modem oder von falschen Zugangsdaten zwischen Router und Anbieter unterscheiden.
            """,
            .days: "Tag für Tag",
            .daysNote: """
            Schwarz: ohne Internet, kurze Ausfälle breiter, als sie waren. Dünne Linie: verfügbar. Schraffiert: unbekannt. Das graue \
            Band ist der Abend, 18 bis 23 Uhr. Verlorene Pakete und die mittlere Antwortzeit (Median) sind die der Server hinter dem Router.
            """,
            .latestDays: "Die letzten {0} Tage des Zeitraums.", .noOutage: "kein Ausfall",
            .loss: "Verlust", .roundTrip: "Antwortzeit",
            .evenings: "Abende und übrige Zeit", .eveningsRow: "18 bis 23 Uhr", .otherHours: "Übrige Zeit",
            .unreachable: "Ohne Internet", .routerLoss: "Verlust am Router", .beyondLoss: "Verlust dahinter",
            .sides: "Ausfälle nach Ort der Störung", .side: "Ort", .outages: "Ausfälle", .totalTime: "Gesamtdauer",
            .margin: "Unsicherheit", .all: "Gesamt", .none: "keine", .unknownSide: "unbekannt",
            .noneFound: "Keine.", .noneLonger: "Keiner, der länger als seine Unsicherheit dauerte.",
            .short: "Ausfälle, die kürzer als ihre Unsicherheit sind",
            .shortNote: "Ihre Dauer ist nicht verlässlich. In den Summen sind sie enthalten.",
            .number: "Nr.", .began: "Beginn", .ended: "Ende", .duration: "Dauer",
            .recorded: "Aufgezeichnete Ursache: {0}",
            .unknownPlace: "Der Zustand war „{0}“; der Ort der Störung ist unbekannt.",
            .inTurn: "Nacheinander: {0}.", .then: ", dann ", .andSoOn: " und so weiter",
            .linkNote: "Schnittstelle: {0}.",
            .answered: "Beantwortete Pakete währenddessen: {0}.", .count: "{0} {1} von {2}",
            .drops: "Kurze Aussetzer",
            .dropsNote: """
            Bei einem Aussetzer antwortet für kurze Zeit nur der Router, und dahinter fehlen mehr Antworten, als zufälliger \
            Paketverlust erklärt. Er endet, bevor eine Prüfung zu einem Ergebnis kommt, und zählt daher weder als Ausfall noch als \
            Zeit ohne Internet.
            """,
            .packets: "Beantwortete Pakete",
            .startedEarlier: "begann höchstens {0} früher", .mayHaveStarted: "begann möglicherweise früher",
            .endedEarlier: "endete höchstens {0} früher", .notVerified: "danach nicht geprüft",
            .unwatched: "danach nicht mehr beobachtet", .moved: "Wechsel zu {0}",
            .continues: "dauert nach {0} an", .thisPeriod: "diesem Zeitraum",
            .unknownTime: "Unbekannte Zeit",
            .alwaysWatched: "Keine: Dieses Gerät wurde während des ganzen Zeitraums beobachtet.",
            .unknownNote: "Diese Zeit zählt weder als verfügbar noch als Ausfall.", .machineWas: "Dieses Gerät war",
            .share: "Anteil am Zeitraum",
            .unseen: "Zeit ohne laufende Messung",
            .unseenNote: """
            Alle paar Sekunden wird ein Paket an Server hinter dem Router geschickt. In diesen Zeiten wurde keines gezählt, obwohl \
            dieses Gerät beobachtet wurde: Ein Ausfall, der kürzer war als der Abstand zweier Prüfungen, kann hier fehlen.
            """,
            .unseenNever: """
            Keine: Immer, wenn dieses Gerät beobachtet wurde und eine Verbindung hatte, ging alle paar Sekunden ein Paket an Server \
            hinter dem Router.
            """,
            .from: "Von", .until: "Bis", .rest: "Und {0} kürzere, zusammen {1}.",
            .rawData: "Rohdaten",
            .command: "Dieser Befehl gibt auf {0} dieselben Ausfälle als kommagetrennte Werte aus:",
            .csv: "Ausfälle als CSV", .dashboard: "Übersicht", .under: "unter",
        ],
        states: [
            .online: "online", .noInternet: "kein Internet", .limited: "eingeschränkt",
            .captivePortal: "Anmeldung erforderlich", .offline: "offline", .requiresConnection: "Verbindung auf Abruf",
            .unverified: "nicht geprüft", .unknown: "in unbekanntem Zustand", .notWatching: "nicht beobachtet",
            .asleep: "im Ruhezustand oder aus",
        ],
        sides: [
            .machine: "dieses Gerät oder seine Verbindung", .tunnel: "VPN dieses Geräts", .router: "Router",
            .nameServers: "Nameserver", .proxy: "Proxy", .portal: "Anmeldeseite des Netzes", .filter: "Filter im Netz",
            .provider: "hinter dem Router", .endpoints: "die angefragten Server", .host: "ein Host",
        ],
        observations: [
            .machine: "Die Störung lag an diesem Gerät.",
            .tunnel: "Durch ein VPN oder einen anderen Tunnel dieses Geräts kam nichts zurück.",
            .router: "Der Router hat nicht geantwortet.",
            .nameServers: "Namen wurden nicht oder zu falschen Adressen aufgelöst.",
            .proxy: "Der Proxy hat nicht geantwortet, eine Anmeldung verlangt oder nicht ins Internet geführt.",
            .portal: "Das Netz hat eine Anmeldung verlangt.",
            .filter: "Etwas zwischen diesem Gerät und dem Internet hat Verbindungen blockiert oder abgefangen.",
            .provider: "Von außerhalb des eigenen Netzes kam kein Paket zurück.",
            .endpoints: "Die angefragten Server haben nicht wie erwartet geantwortet.",
            .host: "Ein Host hat nicht geantwortet.",
        ],
        observationsWithoutPath: [.machine: "Dieses Gerät hatte keine Verbindung."],
        interfaceTypes: [
            .wifi: "WLAN", .cellular: "Mobilfunk", .wiredEthernet: "Ethernet-Kabel", .loopback: "Loopback",
            .other: "anderer Typ",
        ],
        cause: germanCause)

    /// Returns the German sentence of a cause, with the name of the interface where there is one.
    @Sendable private static func germanCause(_ record: any StateRecordProtocol) -> String? {
        guard let code = record.cause?.rawValue else { return nil }
        guard let name = record.interfaceName else { return germanCauses[code] }
        switch (code, HistoryWording.interfaceType(record)) {
        case ("allDown", _): return "\(name) ist ausgeschaltet."
        case ("radioOff", .cellular): return "Das Modem ist ausgeschaltet (Flugmodus?)."
        case ("noCarrier", .wifi): return "\(name) ist mit keinem WLAN verbunden."
        case ("noCarrier", .cellular): return "\(name) ist mit keinem Mobilfunknetz verbunden."
        case ("noCarrier", .wiredEthernet): return "Kein Signal an \(name): Steckt das Kabel?"
        case ("noCarrier", _): return "Kein Signal an \(name): Am anderen Ende ist nichts angeschlossen."
        case ("dormant", _): return "\(name) ist nicht angemeldet: Prüfen Sie Passwort oder Zugangsdaten."
        case ("noAddress", _): return "\(name) hat keine Adresse: Prüfen Sie DHCP am Router."
        default: return germanCauses[code]
        }
    }

    private static let germanCauses: [String: String] = [
        "noInterface": "Dieses Gerät hat keine Netzwerkschnittstelle.",
        "allDown": "Alle Netzwerkschnittstellen sind ausgeschaltet.",
        "radioOff": "Das WLAN ist ausgeschaltet: Prüfen Sie den Flugmodus und den Funkschalter dieses Geräts.",
        "noCarrier": "An keiner Schnittstelle ist etwas angeschlossen.",
        "dormant": "Die Verbindung ist nicht angemeldet: Prüfen Sie Passwort oder Zugangsdaten.",
        "noAddress": "Keine Schnittstelle hat eine Adresse: Prüfen Sie DHCP am Router.",
        "addressTentative": "Die Adresse der Schnittstelle wurde noch geprüft.",
        "noRoute": "Es gibt eine Adresse, aber keine Route ins Internet: Prüfen Sie, ob ein Gateway eingetragen ist.",
        "routeUnreachable": "Eine Routing-Regel auf diesem Gerät sperrt ausgehenden Verkehr (VPN-Sperre?).",
        "notVisible": "Der Zustand des Netzes konnte nicht gelesen werden.",
        "noPath": "Es gibt keine Verbindung.",
        "onDemand": "Eine Verbindung wird bei Bedarf aufgebaut.",
        "notChecked": "Das Internet wurde noch nicht geprüft.",
        "socketsDenied": "Eine Sandbox verweigert Netzwerkzugriffe.",
        "lateByLoss": "Keine Antwort in der vorgesehenen Zeit: Pakete gehen verloren.",
        "slow": "Diese Verbindung ist sehr langsam.",
        "lateNameServer": "Ein Nameserver antwortet nicht; das verzögert jeden Namen.",
        "lateNames": "Die Nameserver antworten nicht in der vorgesehenen Zeit.",
        "late": "Keine Antwort in der vorgesehenen Zeit: Diese Verbindung ist langsam oder gestört.",
        "noResources":
            "Das Internet konnte nicht geprüft werden, weil diesem Gerät Deskriptoren, Threads oder Speicher fehlen.",
        "unsupportedProxy": "Das Internet konnte nicht geprüft werden, weil der Proxy kein HTTP-Proxy ist.",
        "undetermined": "Ob dies das Internet ist, ließ sich nicht feststellen.",
        "captivePortal": "Das Netz verlangt eine Anmeldung: Öffnen Sie seine Seite in einem Browser.",
        "ownPage":
            "Der Router zeigt statt des Internets eine eigene Seite (eine Anmeldung, oder er hat keine Verbindung).",
        "clock": "Zertifikate sind zur Uhrzeit dieses Geräts nicht gültig.",
        "rejectedHere": "Dieses Gerät weist seine eigenen Verbindungen ab.",
        "tlsUnavailable": "HTTPS lässt sich nicht prüfen.",
        "router": "Der Router antwortet nicht: Ist er eingeschaltet, und ist dies das richtige Netz?",
        "proxyCredentials": "Der Proxy verlangt Benutzernamen und Passwort.",
        "proxyTunnel": "Der Proxy lässt keine sicheren Verbindungen durch.",
        "proxyName": "Den Namen des Proxys gibt es nicht, oder er hat keine Adresse.",
        "proxyRefused": "Der Proxy nimmt keine Verbindungen an.",
        "proxySilent": "Der Proxy antwortet nicht.",
        "proxyError": "Der Proxy antwortet mit einem Fehler.",
        "proxy": "Der Proxy führt nicht ins Internet oder antwortet nicht.",
        "packetLoss": "Pakete gehen verloren.",
        "addressFamily":
            "Eine IP-Version bleibt ohne Antwort, über die die Nameserver oder die meisten Server erreicht werden.",
        "largePackets": "Große Pakete gehen unterwegs verloren.",
        "transparentProxy": "Von dem transparenten Proxy, zu dem die Namen führen, kommt nichts zurück.",
        "routerReport": "Ein Router meldet, dass er Pakete nicht weiterleitet.",
        "provider":
            "Der Router antwortet, aber nichts dahinter: Prüfen Sie den Anschluss des Routers, oder rufen Sie den Anbieter an.",
        "tunnelSilent": "Durch den Tunnel kommt nichts zurück.",
        "tunnelUplink": "Das andere Ende des Tunnels antwortet, aber nichts dahinter.",
        "tunnelNames": "Die Nameserver werden durch einen Tunnel erreicht, durch den nichts zurückkommt.",
        "tunnelProxy": "Der Proxy wird durch einen Tunnel erreicht, durch den nichts zurückkommt.",
        "linkSilent": "Hinter der eigenen Verbindung dieses Geräts antwortet nichts.",
        "allSilent": "Weder der Router noch etwas dahinter antwortet.",
        "hijackedNames": "Namen führen zu falschen Adressen.",
        "hostNotFound": "Die Namen gibt es nicht, oder sie haben keine Adresse.",
        "nameResolution": "Die Nameserver antworten mit einem Fehler.",
        "dnsRefused": "Auf den eingetragenen Nameservern läuft kein DNS-Dienst.",
        "dnsSilent": "Die Nameserver antworten nicht.",
        "dnsUnreachable": "Die Nameserver sind nicht erreichbar.",
        "untranslated": "Namen haben nur Adressen der IP-Version, die diesem Netz fehlt.",
        "interception": "Etwas fängt sichere Verbindungen ab.",
        "certificate": "Das Zertifikat eines Servers wird nicht anerkannt.",
        "tls": "Sichere Verbindungen brechen beim Aufbau ab.",
        "serverError": "Server antworten mit einem Fehler.",
        "unexpectedAnswers": "Server antworten, aber nicht wie erwartet.",
        "refused": "Verbindungen werden abgelehnt.",
        "unreachable": "Es gibt keine Route.",
        "acceptedInSilence": "Verbindungen werden angenommen, aber es kommt keine Antwort.",
        "timedOut": "Verbindungen bleiben ohne Antwort.",
        "partial": "HTTPS kommt nicht durch.",
        // The codes of the history itself.
        "passive": "Das Internet wurde nicht geprüft.", "stopped": "Der Server wurde beendet.",
        "crashed": "Der Server ist abgestürzt oder wurde abgebrochen.", "paused": "Der Server war angehalten.",
        "started": "Die Beobachtung begann gerade.", "clockSet": "Die Uhr wurde gestellt.",
        "suspended": "Das Gerät war im Ruhezustand.", "off": "Das Gerät war aus oder startete neu.",
        "discarded": "Aufzeichnungen wurden verworfen.", "noRecord": "Es gibt keine Aufzeichnung.",
        "routerRestarted": "Der Router wurde neu gestartet.",
    ]
}
