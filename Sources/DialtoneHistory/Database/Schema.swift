// SPDX-License-Identifier: Apache-2.0

import GRDB
import SystemSupport

/// The tables and their migrations: an existing migration is never changed, only followed by another.
///
/// Times are whole milliseconds since 1970. A transition with a higher `id` was recorded later, regardless of its time.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.create(table: "run") { table in
                table.primaryKey("id", .integer)
                table.column("boot", .text).notNull()
                table.column("started", .integer).notNull()
                table.column("wall", .integer).notNull()
                table.column("boottime", .double).notNull()
                table.column("monotonic", .double).notNull()
                table.column("interval", .double).notNull()
                table.column("isEnd", .boolean).notNull()
            }
            try db.create(table: "transition") { table in
                table.primaryKey("id", .integer)
                table.column("time", .integer).notNull()
                table.column("state", .text).notNull()
                table.column("cause", .text)
                table.column("interfaceName", .text)
                table.column("interfaceType", .text)
            }
            try db.create(table: "check") { table in
                table.primaryKey("id", .integer)
                table.column("time", .integer).notNull().indexed()
                table.column("verdict", .text).notNull()
                table.column("cause", .text)
                table.column("latency", .double)
                table.column("passed", .integer).notNull()
                table.column("asked", .integer).notNull()
            }
            try db.create(table: "checkSummary", options: .withoutRowID) { table in
                table.column("length", .integer).notNull()
                table.column("start", .integer).notNull()
                for verdict in ["verified", "partial", "captivePortal", "noInternet", "inconclusive"] {
                    table.column(verdict, .integer).notNull()
                }
                table.column("shortest", .double)
                table.column("total", .double).notNull()
                table.column("longest", .double)
                table.column("latencies", .integer).notNull()
                table.primaryKey(["length", "start"])
            }
        }
        migrator.registerMigration("2") { db in
            try db.create(table: "watchedHost") { table in
                table.primaryKey("id", .integer)
                table.column("name", .text).notNull().unique()
            }
            try db.create(table: "hostPeriod", options: .withoutRowID) { table in
                table.column("host", .text).notNull()
                table.column("start", .integer).notNull()
                table.column("checks", .integer).notNull()
                table.column("succeeded", .integer).notNull()
                table.primaryKey(["host", "start"])
            }
        }
        migrator.registerMigration("3") { db in
            try db.create(table: "hostChange") { table in
                table.primaryKey("id", .integer)
                table.column("time", .integer).notNull()
                table.column("host", .text).notNull()
                table.column("isReachable", .boolean).notNull()
                table.column("reason", .text)
            }
            // One row: the identity of this database, and the last records that a collector has acknowledged.
            try db.create(table: "delivery") { table in
                table.column("source", .text).notNull()
                table.column("transitionID", .integer)
                table.column("hostID", .integer)
            }
            try db.execute(sql: "INSERT INTO delivery (source) VALUES (?)", arguments: [UUID().uuidString.lowercased()])
        }
        // The state `noInternet`, which earlier versions would read as unknown: they refuse this file instead.
        migrator.registerMigration("4") { _ in }
        migrator.registerMigration("5") { db in
            try db.alter(table: "transition") { table in
                table.add(column: "reason", .text)
                table.add(column: "fault", .text)
                table.add(column: "number", .integer)
                table.add(column: "earliest", .integer)
            }
            try db.alter(table: "check") { table in
                for step in ["resolve", "connect", "tls", "headers"] { table.add(column: step, .double) }
            }
            // The loss and the round trips of a hop in a minute or an hour.
            try db.create(table: "hopPeriod", options: .withoutRowID) { table in
                table.column("length", .integer).notNull()
                table.column("start", .integer).notNull()
                table.column("hop", .text).notNull()
                table.column("sent", .integer).notNull()
                table.column("lost", .integer).notNull()
                table.column("shortest", .double)
                table.column("median", .double)
                table.column("longest", .double)
                table.primaryKey(["length", "start", "hop"])
            }
        }
        // What worked badly although the Internet answered, as a JSON object.
        migrator.registerMigration("6") { db in
            try db.alter(table: "check") { $0.add(column: "remarks", .text) }
        }
        // Whether collectors and hooks do not get a transition, the outages that ended with it, as JSON, and the number of
        // records before it that it replaces; the answers of hops that came after they had been given up; the times in which
        // nothing beyond the router answered, with the counts of the hops as JSON.
        migrator.registerMigration("7") { db in
            try db.alter(table: "transition") { table in
                table.add(column: "isSilent", .boolean)
                table.add(column: "outages", .text)
                table.add(column: "replaced", .integer)
            }
            try db.execute(sql: "CREATE INDEX replacement ON transition (id) WHERE replaced IS NOT NULL")
            try db.alter(table: "hopPeriod") { $0.add(column: "late", .integer).notNull().defaults(to: 0) }
            try db.create(table: "silence", options: .withoutRowID) { table in
                table.primaryKey("start", .integer)
                table.column("earliest", .integer)
                table.column("earliestEnd", .integer).notNull()
                table.column("end", .integer).notNull()
                table.column("isDrop", .boolean).notNull()
                table.column("counts", .text).notNull()
            }
        }
        return migrator
    }
}
