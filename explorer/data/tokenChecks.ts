import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Ask } from './rpc.ts'
import type { Standard } from './tokenLists.ts'

const views: Abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
])
const multi: Abi = parseAbi(['function balanceOf(address account, uint256 id) view returns (uint256)'])

/** What a function returns after a block; undefined if it fails, or returns something else. */
async function read<T>(
  ask: Ask,
  to: Hex,
  block: Hex,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Promise<T | undefined> {
  try {
    const data = await ask<Hex>('eth_call', [{ to, data: encodeFunctionData({ abi, functionName, args }) }, block])
    return decodeFunctionResult({ abi, functionName, data }) as T
  } catch {
    return undefined
  }
}

/** The supply that a contract claims. */
export function readSupply(ask: Ask, token: Hex, block: Hex): Promise<bigint | undefined> {
  return read<bigint>(ask, token, block, views, 'totalSupply', [])
}

/** What a contract says an account has; ERC-1155 has no such function for all items together. */
export async function readBalance(
  ask: Ask,
  token: Hex,
  standard: Standard,
  account: Hex,
  block: Hex,
): Promise<bigint | undefined> {
  return standard === 'ERC-1155' ? undefined : read<bigint>(ask, token, block, views, 'balanceOf', [account])
}

/** How much of an item a contract says an account has. */
export async function readItem(
  ask: Ask,
  token: Hex,
  standard: Standard,
  account: Hex,
  id: bigint,
  block: Hex,
): Promise<bigint | undefined> {
  if (standard === 'ERC-1155') return read<bigint>(ask, token, block, multi, 'balanceOf', [account, id])
  const owner = await read<Hex>(ask, token, block, views, 'ownerOf', [id])
  return owner && (owner.toLowerCase() === account.toLowerCase() ? 1n : 0n)
}
