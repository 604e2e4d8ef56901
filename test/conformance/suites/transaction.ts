import { expectRefusal } from '../../../src/evmtool/exceptions.ts'
import { errorOf, expectBytes, expectEqual } from '../../../src/evmtool/expect.ts'
import { toBytes, toNumber } from '../../../src/evmtool/json.ts'
import { forkNamed } from '../../../src/evmtool/networks.ts'
import { TxError } from '../../../src/execution/fault.ts'
import { intrinsicGas } from '../../../src/execution/intrinsicGas.ts'
import { validateTx } from '../../../src/execution/validateTx.ts'
import { rulesOf } from '../../../src/forks/rules.ts'
import { decodeTx } from '../../../src/types/decodeTx.ts'
import { encodeTx, txHash } from '../../../src/types/encodeTx.ts'
import { senderOf } from '../../../src/types/signTx.ts'
import type { Tx } from '../../../src/types/transaction.ts'
import type { Suite } from '../suite.ts'

interface TransactionTest {
  readonly txbytes: string
  readonly result: Readonly<Record<string, Verdict>>
}

interface Verdict {
  readonly exception?: string
  readonly hash?: string
  readonly sender?: string
  readonly intrinsicGas: string
}

const chainId = 1n

/** What a node does with bytes before it looks at any state. */
function accept(bytes: Uint8Array, fork: string): Tx {
  const tx = decodeTx(bytes)
  if (!senderOf(tx)) throw new TxError({ code: 'INVALID_SIGNATURE' })
  validateTx(tx, rulesOf(forkNamed(fork)), chainId)
  return tx
}

function check(bytes: Uint8Array, fork: string, verdict: Verdict): void {
  if (verdict.exception !== undefined) {
    const error = errorOf(() => accept(bytes, fork))
    expectRefusal(error, verdict.exception)
    return
  }
  const tx = accept(bytes, fork)
  expectBytes('hash', txHash(tx), toBytes(verdict.hash!))
  expectBytes('bytes when encoded again', encodeTx(tx), bytes)
  expectBytes('sender', senderOf(tx), toBytes(verdict.sender!))
  expectEqual('intrinsic gas', intrinsicGas(tx, rulesOf(forkNamed(fork))), toNumber(verdict.intrinsicGas))
}

export const transaction: Suite = {
  name: 'transaction',
  doc: 'TransactionTests: decoding, signature and checks without state, by fork.',
  async *cases(data) {
    for await (const { path, name, test } of data.entries({ bundles: /^transaction/, folders: ['TransactionTests'] })) {
      const { txbytes, result } = test as TransactionTest
      for (const [fork, verdict] of Object.entries(result))
        yield { name: `${path} ${name} ${fork}`, run: () => check(toBytes(txbytes), fork, verdict) }
    }
  },
}
