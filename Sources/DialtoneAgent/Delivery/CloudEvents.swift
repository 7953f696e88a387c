// SPDX-License-Identifier: Apache-2.0

import Dialtone
import DialtoneHistory
import SystemSupport

/// A batch in the JSON batch format of CloudEvents 1.0.
enum CloudEvents {
    /// - Parameter machine: the name of this machine, for people.
    static func body(_ batch: EventBatch, machine: String) throws -> [UInt8] {
        let events = batch.events.map { Event(event: $0, source: batch.source, machine: machine) }
        return Array(try OneLineJSON.text(events).utf8)
    }

    private struct Event: Encodable {
        let event: HistoryEvent
        let source: String
        let machine: String

        func encode(to encoder: any Encoder) throws {
            try encoder.encode([
                "specversion": "1.0", "id": event.identifier, "source": "urn:uuid:\(source)",
                "time": event.time.iso8601, "machine": machine, "datacontenttype": "application/json",
            ])
            switch event.content {
            case .transition(let transition):
                let data = EncodedObject([
                    "transition": transition.number, "state": transition.state, "previous": transition.previous,
                    "cause": transition.cause?.rawValue, "reason": HistoryWording.cause(transition),
                    "fault": transition.fault, "interface": transition.interfaceName,
                    "interfaceType": transition.interfaceType, "earliest": transition.earliest?.iso8601,
                    "outages": transition.outages.map(OutageReport.init),
                ])
                try encoder.encode(["type": "io.github.dialtone.transition", "data": data])
            case .host(let change):
                let data = EncodedObject([
                    "host": change.host, "reachable": change.isReachable, "reason": change.reason,
                ])
                try encoder.encode(["type": "io.github.dialtone.host", "subject": change.host, "data": data])
            }
        }
    }
}
