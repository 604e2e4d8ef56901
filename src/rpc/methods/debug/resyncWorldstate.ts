import { success } from '../../codecs/success.ts'
import { RpcError } from '../../protocol/fault.ts'
import { alias, method } from '../../protocol/method.ts'

export const debug_resyncWorldstate = method({
  name: 'debug_resyncWorldstate',
  doc:
    'Starts rebuilding the world state by executing all blocks again, checking every state root. The old state is used ' +
    'until the new one is complete, and is kept if the rebuild fails.',
  needs: ['control'],
  params: [],
  result: success,
  errors: [[-32000, 'The state is already being rebuilt.']],
  handler({ control }) {
    if (!control.resyncState()) throw new RpcError({ code: 'RESYNC_RUNNING' })
  },
})

/** Besu's spelling. In the same file, because file names that differ only in case clash on some systems. */
export const debug_resyncWorldState = alias(debug_resyncWorldstate, 'debug_resyncWorldState')
