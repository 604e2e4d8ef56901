import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { erc20 } from '../decode/knownAbis.ts'
import type { Ask } from './rpc.ts'

/** What a token says about itself; its texts are whatever its author wrote. */
export interface Token {
  readonly name: string | undefined
  readonly symbol: string | undefined
  readonly decimals: number | undefined
}

const known = new Map<string, Promise<Token>>()

/** Name, symbol and decimals of a token; what it does not answer is undefined. */
export function loadToken(ask: Ask, address: Hex): Promise<Token> {
  const token = known.get(address) ?? readToken(ask, address)
  known.set(address, token)
  return token
}

async function readToken(ask: Ask, address: Hex): Promise<Token> {
  const read = async (functionName: string) => {
    try {
      const data = await ask<Hex>('eth_call', [
        { to: address, data: encodeFunctionData({ abi: erc20, functionName }) },
        'latest',
      ])
      return decodeFunctionResult({ abi: erc20, functionName, data }) as unknown
    } catch {
      return undefined
    }
  }
  const [name, symbol, decimals] = await Promise.all(['name', 'symbol', 'decimals'].map(read))
  return {
    name: typeof name === 'string' ? name : undefined,
    symbol: typeof symbol === 'string' ? symbol : undefined,
    decimals: typeof decimals === 'number' ? decimals : undefined,
  }
}
