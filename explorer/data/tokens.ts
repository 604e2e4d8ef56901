import { BaseError, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { erc20 } from '../decode/knownAbis.ts'
import { type Ask, RpcError } from './rpc.ts'

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
  const [name, symbol, decimals] = await Promise.all([
    read(ask, address, 'name'),
    read(ask, address, 'symbol'),
    read(ask, address, 'decimals'),
  ])
  return {
    name: typeof name === 'string' ? name : undefined,
    symbol: typeof symbol === 'string' ? symbol : undefined,
    // Some compilers check nothing of what they return: a number beyond uint8 would be that many digits.
    decimals: typeof decimals === 'number' && decimals <= 255 ? decimals : undefined,
  }
}

async function read(ask: Ask, address: Hex, functionName: string): Promise<unknown> {
  try {
    const call = { to: address, data: encodeFunctionData({ abi: erc20, functionName }) }
    return decodeFunctionResult({ abi: erc20, functionName, data: await ask<Hex>('eth_call', [call, 'latest']) })
  } catch (error) {
    // A node that does not answer says nothing about the token: it is asked again, and its amounts are not those of one without decimals.
    if (error instanceof Error && !(error instanceof RpcError) && !(error instanceof BaseError)) known.delete(address)
    return undefined
  }
}
