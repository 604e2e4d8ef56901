import { zeroAddress } from '../../../primitives/bytes.ts'
import { PrivacyError } from '../../../privacy/fault.ts'
import { findPrivateBlock } from '../../blocks/privateBlock.ts'
import { executionError } from '../../calls/executionError.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { data } from '../../codecs/bytes.ts'
import { callObject } from '../../codecs/callObject.ts'
import { groupText, requireGroup } from '../../codecs/groupParam.ts'
import { nullable } from '../../codecs/nullable.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

/** A shorter output of a revert has no reason. */
const minReason = 4

export const priv_call = privateMethod({
  name: 'priv_call',
  doc: 'Executes a call on the private state of a group without creating a transaction. Returns its output; null if the block is unknown.',
  needs: ['chain', 'limits'],
  params: [param('privacyGroupId', groupText), param('call', callObject), param('block', blockRef)],
  result: nullable(data),
  errors: [
    [-32000, 'The call reverted (with `data` and reason), or the private state is behind the block.'],
    [-32005, 'Too many private calls are waiting.'],
    [-39001, 'The safe or finalized block is unknown.'],
  ],
  example: [
    'DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=',
    { to: '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73' },
    'latest',
  ],
  async handler({ chain, limits, privacy }, [id, call, ref]) {
    const { from = zeroAddress, to, gasPrice = 0n, value } = call
    if (!to) throw invalidParams('to is missing')
    const group = requireGroup(id)
    if (value !== 0n) throw new PrivacyError({ code: 'VALUE_NOT_ZERO' })
    const at = findPrivateBlock(chain, ref)
    if (!at) return undefined
    await privacy.reach(group, at.header.number)
    const outcome = await privacy.call(chain, at, group, { sender: from, to, gasPrice, data: call.data })
    if (outcome.status === 1) return outcome.output
    const { revertReason } = outcome
    if (revertReason && revertReason.length >= minReason)
      throw executionError({ halt: 'revert', output: revertReason }, false, limits.revertFormat)
    throw new RpcError({ code: 'PRIVATE_CALL_FAILED' })
  },
})
