// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether it is a control, invisible or unassigned, and so could change how a terminal or a page shows other text.
    package var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
