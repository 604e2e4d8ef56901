import type { Method } from './method.ts'
import { net_enode } from './net/enode.ts'
import { net_listening } from './net/listening.ts'
import { net_peerCount } from './net/peerCount.ts'
import { net_services } from './net/services.ts'
import { net_version } from './net/version.ts'
import { rpc_discover } from './rpc/discover.ts'
import { rpc_modules } from './rpc/modules.ts'
import { web3_clientVersion } from './web3/clientVersion.ts'
import { web3_sha3 } from './web3/sha3.ts'

/** Every method, in the order of the docs. */
export const methods: readonly Method[] = [
  net_enode,
  net_listening,
  net_peerCount,
  net_services,
  net_version,
  rpc_discover,
  rpc_modules,
  web3_clientVersion,
  web3_sha3,
]
