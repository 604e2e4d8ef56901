import { boolean } from '../../codecs/boolean.ts'
import { address, hash, slotKey } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const hardhat_setStorageAt = method({
  name: 'hardhat_setStorageAt',
  doc: 'Sets a storage slot of an account. The change is a block of its own.',
  needs: ['dev'],
  params: [param('address', address), param('slot', slotKey), param('value', hash)],
  result: boolean,
  example: ['0x00000000000000000000000000000000000000aa', '0x0', `0x${'1'.padStart(64, '0')}`],
  handler({ dev }, [account, key, value]) {
    dev.edit({ address: account, slot: { key, value } })
    return true
  },
})
