import type { Decoded } from './decoded.ts'

/** Functions and events whose amounts are in the units of the contract that they belong to. */
const ofTokens: ReadonlySet<string> = new Set([
  ...['Transfer', 'Approval', 'Mint', 'Burn', 'Deposit', 'Withdrawal'],
  ...['transfer', 'transferFrom', 'approve', 'mint', 'burn', 'burnFrom', 'deposit', 'withdraw'],
  ...['increaseAllowance', 'decreaseAllowance', 'permit'],
])
const amountName = /^_?(value|amount|wad|tokens|addedValue|subtractedValue|rawAmount)$/i

/** Which values of a call or event of a token are amounts of it. */
export function areAmounts({ name, values }: Decoded): readonly boolean[] {
  return values.map((value) => ofTokens.has(name) && value.type === 'uint256' && amountName.test(value.name))
}

/** Whether what a function returns is an amount of the token. */
export const returnsAmount = (name: string): boolean => ['balanceOf', 'totalSupply', 'allowance'].includes(name)
