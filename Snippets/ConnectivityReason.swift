import Dialtone

for await connectivity in ConnectivityMonitor.shared.updates() {
    print(connectivity)
}
// online over eth0 (wired Ethernet)
// offline: No carrier on eth0: is the cable in?
// limited over eth0 (wired Ethernet): DNS servers do not answer (192.0.2.53).
