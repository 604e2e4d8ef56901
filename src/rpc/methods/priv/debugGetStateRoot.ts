import { fromBase64 } from '../../../privacy/enclave/base64.ts'
import { type Enclave, EnclaveError } from '../../../privacy/enclave/enclave.ts'
import { findPrivateBlock } from '../../blocks/privateBlock.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { blockNumber } from '../../codecs/blockRef.ts'
import { hash } from '../../codecs/bytes.ts'
import { groupText } from '../../codecs/groupParam.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { param } from '../../protocol/method.ts'

/** The manager of a recipient does not know a group that transactions make; it has to know all others. */
async function requireKnown(enclave: Pick<Enclave, 'retrieveGroup'>, id: string): Promise<void> {
  try {
    await enclave.retrieveGroup(id)
  } catch (error) {
    if (!(error instanceof EnclaveError) || error.at.code !== 'ENCLAVE_REFUSED') throw error
    throw new RpcError({ code: 'GROUP_NOT_FOUND' }, error)
  }
}

export const priv_debugGetStateRoot = privateMethod({
  name: 'priv_debugGetStateRoot',
  doc: 'Returns the root of the private state of a group at a block.',
  needs: ['chain'],
  params: [param('privacyGroupId', groupText), param('block', blockNumber)],
  outsider: 'GROUP_NOT_FOUND',
  result: hash,
  errors: [
    [-32000, 'Block not found, or the private state is behind it.'],
    [-39001, 'The safe or finalized block is unknown.'],
  ],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', 'latest'],
  async handler({ chain, privacy }, [id, ref]) {
    const group = fromBase64(id)
    if (group?.length !== 32) throw invalidParams()
    if (privacy.flexible) {
      if (!(await privacy.flexible.find(group))) throw new RpcError({ code: 'GROUP_NOT_FOUND' })
    } else if (!privacy.isLegacy(group)) await requireKnown(privacy.enclave, id)
    const at = findPrivateBlock(chain, ref)
    if (!at) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    await privacy.reach(group, at.header.number)
    return privacy.rootAt(group, Number(at.header.number))
  },
})
