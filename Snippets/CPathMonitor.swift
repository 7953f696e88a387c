import Dispatch
import OpenNetwork

let monitor = nw_path_monitor_create()
nw_path_monitor_set_queue(monitor, .main)
nw_path_monitor_set_update_handler(monitor) { path in
    print(nw_path_get_status(path) == nw_path_status_satisfied)
}
nw_path_monitor_start(monitor)
dispatchMain()
