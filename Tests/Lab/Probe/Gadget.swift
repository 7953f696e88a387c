// SPDX-License-Identifier: Apache-2.0

import Glibc

/// USB devices in software, plugged into a software port (`dummy_hcd`): a modem, a serial modem, a phone.
enum Gadget {
    private static let folder = "/sys/kernel/config/usb_gadget"

    /// Creates the ports, once for all scenarios.
    ///
    /// Reloading the driver would put new ports at the memory addresses of the old ones, and Debian's 6.1 kernel may then find
    /// state that it kept for the old ones: it rejects the link of a phone, and ends with a BUG at the next attempt.
    static let ports = """
        modprobe dummy_hcd num=3
        modprobe libcomposite
        mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
        """

    private static func make(_ name: String, product: String, function: String, settings: String = "") -> String {
        """
        mkdir \(folder)/\(name) && cd \(folder)/\(name)
        echo 0x1199 > idVendor
        echo \(product) > idProduct
        mkdir strings/0x409 configs/c.1
        echo Lab > strings/0x409/manufacturer
        echo \(name) > strings/0x409/product
        echo 1 > strings/0x409/serialnumber
        mkdir functions/\(function)
        \(settings)
        ln -s functions/\(function) configs/c.1/
        """
    }

    /// A modem that speaks QMI; this program is its other end.
    static let modem = """
        modprobe qmi_wwan
        \(make("modem", product: "0xabcd", function: "ffs.modem"))
        mkdir -p /tmp/modem
        mount -t functionfs modem /tmp/modem
        LabProbe modem /tmp/modem > /tmp/modem.log 2>&1 &
        until [ -e /tmp/modem/ep1 ]; do sleep 0.05; done
        echo 1199 abcd > /sys/bus/usb/drivers/qmi_wwan/new_id
        """

    /// A modem with a serial port only.
    static let serial = """
        modprobe cdc_acm
        \(make("serial", product: "0xabce", function: "acm.0"))
        """

    /// A phone that shares its Internet connection, by `ncm` or `rndis`.
    static func phone(_ function: String) -> String {
        """
        modprobe -a cdc_ncm rndis_host
        \(make("phone", product: "0xabcf", function: "\(function).0", settings: addresses(function)))
        """
    }

    /// The addresses of the phone's end and of this machine's end, which cannot change once the function is in use.
    private static func addresses(_ function: String) -> String {
        """
        echo 02:11:22:33:44:55 > functions/\(function).0/dev_addr
        echo 02:11:22:33:44:66 > functions/\(function).0/host_addr
        """
    }

    /// Whether both ends of the phone's cable exist.
    static let phoneIsThere = "[ $(ip -o link | grep -c 02:11:22:33:44:) = 2 ]"
    /// The name of the link to the phone.
    static let linkOfPhone = "ip -o link | grep 02:11:22:33:44:66 | cut -d: -f2 | tr -d ' '"
    /// Moves the phone's end to the namespace `phone`, where it is called `inside`.
    static let takeAwayPhonesEnd = """
        ip link set $(ip -o link | grep 02:11:22:33:44:55 | cut -d: -f2) netns phone name inside
        """

    /// Switches the phone's end on, and repeats that until this machine's end, which is up, has carrier: about one USB
    /// notification in fifty is lost here.
    static func switchOnPhonesEnd(heardBy link: String) -> String {
        """
        attempts=0
        until
            ip -n phone link set inside up
            timeout 2 sh -c 'until [ "$(cat /sys/class/net/\(link)/carrier 2>/dev/null)" = 1 ]; do sleep 0.02; done'
        do
            attempts=$((attempts + 1))
            [ $attempts -lt 10 ]
            ip -n phone link set inside down
        done
        """
    }

    /// Plugs a device in, once: after a rejection the kernel cannot handle a second attempt.
    static func plug(_ name: String, port: Int) -> String { "echo dummy_udc.\(port) > \(folder)/\(name)/UDC" }
    static func unplug(_ name: String) -> String { "echo '' > \(folder)/\(name)/UDC" }
}
