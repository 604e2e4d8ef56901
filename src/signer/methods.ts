import { parseJson } from '../jsonrpc/parseJson.ts'
import { toHex } from '../primitives/hex.ts'
import type { Logger } from '../system/logger.ts'
import { encodeTx, txHash } from '../types/encodeTx.ts'
import type { Tx } from '../types/transaction.ts'
import { type Ask, askQuantity, completeTx, type WithNonce } from './completeTx.ts'
import { CallError, invalidParams } from './fault.ts'
import { readAddress } from './json.ts'
import type { Keyring } from './keyring.ts'
import { hashMessage, readMessage, signatureText } from './message.ts'
import type { NodeClient } from './nodeClient.ts'
import { createNonces } from './nonces.ts'
import { readTxRequest, type TxRequest } from './txRequest.ts'
import { hashTypedData } from './typedData.ts'

/** Methods that the signer answers itself. */
export const ownMethods = [
  'eth_accounts',
  'eth_requestAccounts',
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_sign',
  'personal_sign',
  'eth_signTypedData_v4',
] as const
export type OwnMethod = (typeof ownMethods)[number]

export interface MethodParts {
  readonly keyring: Keyring
  readonly node: Pick<NodeClient, 'call'>
  /** Undefined asks the node once. */
  readonly chainId: bigint | undefined
  /** Whether the node, a development network, may send transactions of accounts that are not here: it impersonates them. */
  readonly passOthers: boolean
  readonly log: Logger
}

/** Answers a call; rejects with a CallError. After the signal the node is not asked any more. */
export type Method = (params: readonly unknown[], signal: AbortSignal) => unknown

/** Creates the methods that the signer answers itself. */
export function createMethods(parts: MethodParts): Readonly<Record<OwnMethod, Method>> {
  const { keyring, node, chainId, passOthers, log } = parts
  const askUntil =
    (signal: AbortSignal): Ask =>
    (method, params) =>
      node.call(method, params, signal)
  const nonces = createNonces((account, signal) =>
    askQuantity(askUntil(signal), 'eth_getTransactionCount', [account, 'pending']),
  )
  let knownChain = chainId

  async function prepare(request: TxRequest, ask: Ask): Promise<WithNonce> {
    keyring.require(request.from)
    const chain = (knownChain ??= await askQuantity(ask, 'eth_chainId'))
    if (request.chainId !== undefined && request.chainId !== chain)
      throw new CallError({ code: 'WRONG_CHAIN', detail: `${request.chainId}; the chain is ${chain}` })
    return completeTx(request, chain, ask)
  }

  /** Passes the signed transaction to `use`, in the order of the account's nonces. */
  async function signInTurn<T>(
    json: unknown,
    signal: AbortSignal,
    use: (tx: Tx, from: string) => Promise<T>,
  ): Promise<T> {
    const request = readTxRequest(json)
    const { from, nonce } = request
    const withNonce = await prepare(request, askUntil(signal))
    const account = toHex(from)
    const sign = (given: bigint) => use(keyring.signTx(from, withNonce(given)), account)
    return nonce === undefined ? nonces.use(account, signal, sign) : nonces.useOwn(account, signal, () => sign(nonce))
  }

  function signMessage(account: unknown, message: unknown): string {
    const from = readAddress(account, 'the address')
    const signature = keyring.signHash(from, hashMessage(readMessage(message)))
    log.info({ from: toHex(from) }, 'signed message')
    return signatureText(signature)
  }

  return {
    eth_accounts: () => keyring.accounts,
    eth_requestAccounts: () => keyring.accounts,
    eth_sendTransaction: ([json], signal) => {
      if (passOthers && !keyring.accounts.includes(toHex(readTxRequest(json).from)))
        return node.call('eth_sendTransaction', [json], signal)
      return signInTurn(json, signal, async (tx, from) => {
        const hash = await node.call('eth_sendRawTransaction', [toHex(encodeTx(tx))], signal)
        log.info({ from, to: tx.to && toHex(tx.to), nonce: String(tx.nonce), hash }, 'sent transaction')
        return hash
      })
    },
    eth_signTransaction: async ([json], signal) => {
      const request = readTxRequest(json)
      const ask = askUntil(signal)
      const withNonce = await prepare(request, ask)
      const from = toHex(request.from)
      const nonce = request.nonce ?? (await askQuantity(ask, 'eth_getTransactionCount', [from, 'pending']))
      const tx = keyring.signTx(request.from, withNonce(nonce))
      log.info({ from, to: tx.to && toHex(tx.to), nonce: String(nonce), hash: toHex(txHash(tx)) }, 'signed transaction')
      return toHex(encodeTx(tx))
    },
    eth_sign: ([account, message]) => signMessage(account, message),
    personal_sign: ([message, account]) => signMessage(account, message),
    eth_signTypedData_v4: ([account, json]) => {
      const from = readAddress(account, 'the address')
      const typed = typeof json === 'string' ? parseJson(json) : json
      if (typed === undefined) throw invalidParams('the typed data is not JSON')
      const signature = keyring.signHash(from, hashTypedData(typed))
      log.info({ from: toHex(from) }, 'signed typed data')
      return signatureText(signature)
    },
  }
}
