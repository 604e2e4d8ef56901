import { success } from '../codecs/success.ts'
import { RpcError } from '../fault.ts'
import { type Method, method } from '../method.ts'

function resync(name: string): Method {
  return method({
    name,
    doc:
      'Starts to rebuild the state from the blocks, checking every root. The state of before answers until the new one ' +
      'is complete, and stays if the blocks do not lead to it.',
    needs: ['control'],
    params: [],
    result: success,
    errors: [[-32000, 'The state is being rebuilt already.']],
    handler({ control }) {
      if (!control.resyncState()) throw new RpcError({ code: 'RESYNC_RUNNING' })
    },
  })
}

export const debug_resyncWorldstate = resync('debug_resyncWorldstate')

/** As Besu spells it. */
export const debug_resyncWorldState = resync('debug_resyncWorldState')
