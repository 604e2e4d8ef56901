import { encodeFunctionData, type Hex } from 'viem'
import { tokenAbi, tokenCreation } from './hostileToken.ts'
import type { Sender } from './sender.ts'

/** Gets tokens and ether. */
export const receiver = '0xf17f52151EbEF6C7334FAD080c5704D77216b732'

/** What happened on the chain that the pages show. */
export interface Story {
  readonly token: Hex
  readonly transfer: Hex
  readonly failure: Hex
  readonly nested: Hex
}

export async function makeStory(sender: Sender): Promise<Story> {
  const token = (await sender.mine({ data: tokenCreation, gas: 3_000_000n })).contractAddress!
  const call = async (data: Hex) => (await sender.mine({ to: token, data })).transactionHash
  const encode = (functionName: 'fail' | 'nest') => encodeFunctionData({ abi: tokenAbi, functionName })
  const transfer = await call(
    encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [receiver, 12_345n] }),
  )
  return { token, transfer, failure: await call(encode('fail')), nested: await call(encode('nest')) }
}
