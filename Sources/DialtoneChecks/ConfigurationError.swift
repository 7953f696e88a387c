// SPDX-License-Identifier: Apache-2.0

extension InternetCheck {
    /// An invalid configuration, and the field that is wrong.
    public typealias ConfigurationError = InvalidConfiguration
}
