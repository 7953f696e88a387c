// SPDX-License-Identifier: Apache-2.0

import GRDB

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
                for verdict in CheckRecord.Verdict.allCases {
                    table.column(verdict.rawValue, .integer).notNull()
                }
                table.column("shortest", .double)
                table.column("total", .double).notNull()
                table.column("longest", .double)
                table.column("latencies", .integer).notNull()
                table.primaryKey(["length", "start"])
            }
        }
        return migrator
    }
}
