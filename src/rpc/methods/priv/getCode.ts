import { findPrivateBlock } from '../../blocks/privateBlock.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, data } from '../../codecs/bytes.ts'
import { groupText, requireGroup } from '../../codecs/groupParam.ts'
import { nullable } from '../../codecs/nullable.ts'
import { param } from '../../protocol/method.ts'

export const priv_getCode = privateMethod({
  name: 'priv_getCode',
  doc: 'Returns the code of a private contract at a block; null if there is no such account or block.',
  needs: ['chain'],
  params: [param('privacyGroupId', groupText), param('address', address), param('block', blockRef)],
  result: nullable(data),
  errors: [
    [-32000, 'The private state is behind the block.'],
    [-39001, 'The safe or finalized block is unknown.'],
  ],
  example: ['DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=', '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 'latest'],
  async handler({ chain, privacy }, [id, owner, ref]) {
    const group = requireGroup(id)
    const at = findPrivateBlock(chain, ref)
    if (!at) return undefined
    await privacy.reach(group, at.header.number)
    return privacy.readState(group, Number(at.header.number), (state) => {
      const account = state.account(owner)
      return account && state.code(account.codeHash)
    })
  },
})
