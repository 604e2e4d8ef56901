import { toHex } from '../primitives/hex.ts'
import { isJsonObject } from '../primitives/json.ts'
import type { UnsignedTx } from '../types/transaction.ts'
import { CallError } from './fault.ts'
import { quantityText, readOptional, readQuantity } from './json.ts'
import type { TxRequest } from './txRequest.ts'

/** Asks the node. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** A transaction that lacks only its nonce. */
export type WithNonce = (nonce: bigint) => UnsignedTx

type Fees =
  | { readonly type: 0 | 1; readonly gasPrice: bigint }
  | { readonly type: 2 | 4; readonly maxFee: bigint; readonly maxPriorityFee: bigint }

/** Fills in what the client left open: type, fees and gas. */
export async function completeTx(request: TxRequest, chainId: bigint, ask: Ask): Promise<WithNonce> {
  const [fees, gasLimit] = await Promise.all([feesOf(request, ask), request.gas ?? estimate(request, ask)])
  const { to, value, data, accessList = [], authorizations = [] } = request
  return (nonce) => {
    const common = { chainId, nonce, gasLimit, to, value, data }
    if ('gasPrice' in fees) {
      const { type, gasPrice } = fees
      return type === 0 ? { ...common, type, gasPrice } : { ...common, type, gasPrice, accessList }
    }
    const { maxFee, maxPriorityFee } = fees
    const market = { ...common, maxFee, maxPriorityFee, accessList }
    return fees.type === 2 ? { ...market, type: 2 } : { ...market, type: 4, authorizations }
  }
}

async function feesOf(request: TxRequest, ask: Ask): Promise<Fees> {
  const { gasPrice, maxFee, maxPriorityFee } = request
  const type = typeOf(request)
  if (type === 0 || type === 1) return { type, gasPrice: gasPrice ?? (await askQuantity(ask, 'eth_gasPrice')) }
  if (type !== undefined && maxFee !== undefined && maxPriorityFee !== undefined)
    return { type, maxFee, maxPriorityFee }
  const baseFee = await baseFeeOf(ask)
  if (baseFee === undefined && type === undefined) {
    const price = await askQuantity(ask, 'eth_gasPrice')
    return { type: request.accessList?.length ? 1 : 0, gasPrice: price }
  }
  const base = baseFee ?? 0n
  const offer = maxPriorityFee ?? (await suggestPriorityFee(ask, base))
  // Room for the base fee to double, as most wallets leave it.
  const max = maxFee ?? 2n * base + offer
  return { type: type ?? 2, maxFee: max, maxPriorityFee: offer < max ? offer : max }
}

/** The type that the request asks for; undefined if it depends on the chain. */
function typeOf({
  type,
  gasPrice,
  maxFee,
  maxPriorityFee,
  accessList,
  authorizations,
}: TxRequest): Fees['type'] | undefined {
  if (type !== undefined) return Number(type) as Fees['type']
  if (authorizations) return 4
  if (gasPrice !== undefined) return accessList ? 1 : 0
  return maxFee !== undefined || maxPriorityFee !== undefined ? 2 : undefined
}

/** What the node suggests; enough to reach its gas price, below which producers with a minimum do not include transactions. */
async function suggestPriorityFee(ask: Ask, baseFee: bigint): Promise<bigint> {
  const [price, tip] = await Promise.all([
    askQuantity(ask, 'eth_gasPrice'),
    askQuantity(ask, 'eth_maxPriorityFeePerGas').catch((error) => {
      // Besu 23.10 does not have the method.
      if (error instanceof CallError && error.at.code === 'NODE_ERROR') return 0n
      throw error
    }),
  ])
  return price - baseFee > tip ? price - baseFee : tip
}

async function baseFeeOf(ask: Ask): Promise<bigint | undefined> {
  const block = await ask('eth_getBlockByNumber', ['latest', false])
  if (!isJsonObject(block)) throw new CallError({ code: 'NODE_ANSWER_INVALID', detail: 'it has no latest block' })
  return readOptional(block, 'baseFeePerGas', readAnswer)
}

function estimate({ from, to, value, data, ...request }: TxRequest, ask: Ask): Promise<bigint> {
  const { gasPrice, maxFee, maxPriorityFee, accessList, authorizations } = request
  const text = (n: bigint | undefined) => (n === undefined ? undefined : quantityText(n))
  const call = {
    from: toHex(from),
    to: to && toHex(to),
    value: quantityText(value),
    data: toHex(data),
    gasPrice: text(gasPrice),
    maxFeePerGas: text(maxFee),
    maxPriorityFeePerGas: text(maxPriorityFee),
    accessList: accessList?.map(({ address, slots }) => ({ address: toHex(address), storageKeys: slots.map(toHex) })),
    authorizationList: authorizations?.map((one) => ({
      chainId: quantityText(one.chainId),
      address: toHex(one.address),
      nonce: quantityText(one.nonce),
      yParity: quantityText(one.yParity),
      r: quantityText(one.r),
      s: quantityText(one.s),
    })),
  }
  return askQuantity(ask, 'eth_estimateGas', [call])
}

/** Asks the node for a number. */
export async function askQuantity(ask: Ask, method: string, params: readonly unknown[] = []): Promise<bigint> {
  return readAnswer(await ask(method, params), method)
}

function readAnswer(json: unknown, name: string): bigint {
  try {
    return readQuantity(json, name)
  } catch (error) {
    throw new CallError({ code: 'NODE_ANSWER_INVALID', detail: `${name} is not a quantity` }, error)
  }
}
