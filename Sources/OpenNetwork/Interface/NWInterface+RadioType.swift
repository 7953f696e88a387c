// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

extension NWInterface {
    /// A radio technology.
    ///
    /// Mirrors Apple's `NWInterface.RadioType`, which connection reports use; an interface does not carry one.
    public enum RadioType: Sendable {
        /// An IEEE 802.11 radio.
        case wifi(WiFi)

        /// A cellular radio.
        case cell(Cellular)

        /// An IEEE 802.11 amendment.
        public enum WiFi: Hashable, Sendable {
            /// 802.11b.
            case b

            /// 802.11a.
            case a

            /// 802.11g.
            case g

            /// 802.11n.
            case n

            /// 802.11ac.
            case ac

            /// 802.11ax.
            case ax
        }

        /// A cellular technology.
        public enum Cellular: Sendable {
            /// LTE.
            case lte

            /// 5G anchored on LTE.
            case dualConnectivity5G(NewRadio5GVariant)

            /// 5G on its own.
            case standalone5G(NewRadio5GVariant)

            /// Wideband CDMA.
            case wcdma

            /// GSM.
            case gsm

            /// CDMA.
            case cdma

            /// EV-DO.
            case evdo

            /// A frequency range of 5G New Radio.
            public enum NewRadio5GVariant: Hashable, Sendable {
                /// Below 6 GHz.
                case sub6GHz

                /// Millimeter waves.
                case mmWave
            }
        }
    }
}

#endif
