// SPDX-License-Identifier: Apache-2.0

/// A large member of a value, stored apart: a copy of the value counts one reference more instead of copying what the member
/// consists of, and the program has less code for such copies.
@propertyWrapper
package enum Boxed<Value> {
    indirect case stored(Value)

    package init(wrappedValue: Value) { self = .stored(wrappedValue) }

    package var wrappedValue: Value {
        get {
            switch self {
            case .stored(let value): value
            }
        }
        set { self = .stored(newValue) }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
