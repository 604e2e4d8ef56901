import { success } from '../../codecs/success.ts'
import { RpcError } from '../../protocol/fault.ts'
import { alias, method } from '../../protocol/method.ts'

export const debug_resyncWorldstate = method({
  name: 'debug_resyncWorldstate',
  doc:
    'Starts to rebuild the state from the blocks, checking every root. The old state answers until the new one is ' +
    'complete, and stays if the blocks do not lead to it.',
  needs: ['control'],
  params: [],
  result: success,
  errors: [[-32000, 'The state is being rebuilt already.']],
  handler({ control }) {
    if (!control.resyncState()) throw new RpcError({ code: 'RESYNC_RUNNING' })
  },
})

/** Besu's spelling. Not in a file of its own: two names that differ in case alone are one file on some systems. */
export const debug_resyncWorldState = alias(debug_resyncWorldstate, 'debug_resyncWorldState')
