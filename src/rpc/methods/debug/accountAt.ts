import type { Evm } from '../../../evm/evm.ts'
import type { Address, Hash32 } from '../../../primitives/bytes.ts'
import { bytesToBigInt } from '../../../primitives/u256.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef } from '../../codecs/blockRef.ts'
import { address, data } from '../../codecs/bytes.ts'
import type { Encoder } from '../../codecs/codec.ts'
import { integer } from '../../codecs/integer.ts'
import { quantity } from '../../codecs/quantity.ts'
import { record } from '../../codecs/record.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { invalidParams, RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { runFirst } from '../../tracing/insideBlock.ts'

interface AccountDetails {
  readonly code: Uint8Array
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash32
}

/** Besu encodes code as a number: empty code is `0x0`. */
const codeText: Encoder<Uint8Array> = {
  schema: data.schema,
  encode: (code) => (code.length === 0 ? '"0x0"' : data.encode(code)),
}

const accountDetails = record<AccountDetails>('account details', (member) => [
  member('code', codeText, ({ code }) => code),
  member('nonce', quantity, ({ nonce }) => nonce),
  member('balance', quantity, ({ balance }) => balance),
  member('codehash', quantity, ({ codeHash }) => bytesToBigInt(codeHash)),
])

function detailsOf(evm: Evm, owner: Address): AccountDetails {
  if (!evm.exists(owner)) throw new RpcError({ code: 'ACCOUNT_NOT_FOUND' })
  return {
    code: evm.code(owner),
    nonce: evm.nonce(owner),
    balance: evm.balance(owner),
    codeHash: evm.codeHash(owner),
  }
}

export const debug_accountAt = method({
  name: 'debug_accountAt',
  doc: 'Returns the state of an account after a transaction of a block.',
  needs: ['chain', 'evms'],
  params: [param('block', blockRef), param('txIndex', integer), param('address', address)],
  result: accountDetails,
  errors: [...blockErrors, [-32000, 'The account does not exist, or the state of the block is not available.']],
  example: ['0x1', 0, '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler({ chain, evms }, [ref, txIndex, owner]) {
    const hashed = chain.blockBy(requireHeader(chain, ref).hash)
    if (!hashed) throw new RpcError({ code: 'BLOCK_NOT_FOUND' })
    const { length } = hashed.block.transactions
    if (length === 0 || txIndex < 0 || txIndex > length) throw invalidParams()
    // As in Besu, the index after the last transaction is not an invalid parameter.
    const details =
      txIndex < length ? runFirst(evms, chain, hashed, txIndex + 1, (evm) => detailsOf(evm, owner)) : undefined
    if (!details) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
    return details
  },
})
