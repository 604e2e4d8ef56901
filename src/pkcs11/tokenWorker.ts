import { KeyError } from '../keys/fault.ts'
import { toHash32 } from '../primitives/bytes.ts'
import { TokenError, type TokenFault } from './fault.ts'
import type { FromToken, ToToken, Trouble } from './messages.ts'
import { TokenSigner } from './tokenSigner.ts'

// The process that calls a PKCS#11 library. It begins anew whenever the token fails: whatever a library remembers of a token that was pulled out
// ends with it.

let signer: TokenSigner | undefined

const troubles: Readonly<Partial<Record<TokenFault['code'], Trouble>>> = {
  NO_LIBRARY: 'operator',
  PIN: 'pin',
  NO_KEY: 'operator',
  UNFIT: 'operator',
}

function troubleOf(error: unknown): Trouble {
  // Of the file with the PIN.
  if (error instanceof KeyError) return 'operator'
  return (error instanceof TokenError && troubles[error.at.code]) || 'passing'
}

const send = (message: FromToken, then?: () => void) => process.send!(message, undefined, undefined, then)

function endWith(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  send({ kind: 'unusable', reason, trouble: troubleOf(error) }, () => process.exit(0))
}

function answer(work: (signer: TokenSigner) => Uint8Array): void {
  try {
    send({ kind: 'done', bytes: work(signer!) })
  } catch (error) {
    if (signer!.isAlive()) send({ kind: 'failed', reason: (error as Error).message })
    else endWith(error)
  }
}

process.on('message', (message: ToToken) => {
  if (message.kind === 'sign') answer((key) => key.sign(toHash32(message.digest)))
  else if (message.kind === 'agree') answer((key) => key.agree(message.publicKey))
  else
    TokenSigner.open(message.place).then((opened) => {
      signer = opened
      send({ kind: 'open', publicKey: opened.publicKey })
    }, endWith)
})
// The node decides when this process ends, also when a signal goes to the whole group.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit(0))
