import { type Address, encodeFunctionData, type Hex, numberToHex, parseEther, parseGwei } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import { artifact, type EntryPointVersion, type Sender } from './accountAbstraction.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { eventually } from './rpcNode.ts'

/** A user operation before its gas is known. */
export interface Operation {
  readonly sender: Address
  readonly callData: Hex
  readonly factory?: { readonly address: Address; readonly data: Hex }
}

const gasMembers = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const
/** As long as a real one, and of a form that accounts can check. */
const noSignature: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`

/** What a user does with a bundler and one version of the entry point. */
export function createOperations(bundler: NodeProcess, version: EntryPointVersion, sender: Sender) {
  const { abi } = artifact(version, 'EntryPoint')
  const entryPoint = { address: version.address, abi } as const

  async function nonceOf(address: Address): Promise<bigint> {
    return (await sender.reads.readContract({ ...entryPoint, functionName: 'getNonce', args: [address, 0n] })) as bigint
  }

  async function draft({ sender: from, callData, factory }: Operation) {
    return {
      sender: from,
      nonce: numberToHex(await nonceOf(from)),
      ...(factory && { factory: factory.address, factoryData: factory.data }),
      callData,
      maxFeePerGas: numberToHex(parseGwei('10')),
      maxPriorityFeePerGas: numberToHex(parseGwei('2')),
      signature: noSignature,
    }
  }

  async function sign(operation: Awaited<ReturnType<typeof draft>> & Record<(typeof gasMembers)[number], Hex>) {
    const { sender: from, callData, factory, factoryData, nonce, maxFeePerGas, maxPriorityFeePerGas } = operation
    const numbers = Object.fromEntries(gasMembers.map((name) => [name, BigInt(operation[name])])) as Record<
      (typeof gasMembers)[number],
      bigint
    >
    const hash = getUserOperationHash({
      chainId: 1337,
      entryPointAddress: version.address,
      entryPointVersion: version.name,
      userOperation: {
        sender: from,
        callData,
        signature: '0x',
        nonce: BigInt(nonce),
        maxFeePerGas: BigInt(maxFeePerGas),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
        ...(factory && factoryData && { factory, factoryData }),
        ...numbers,
      },
    })
    // 0.8 made the hash typed data, which the accounts take as it is.
    return version.name === '0.7'
      ? sender.account.signMessage({ message: { raw: hash } })
      : sender.account.sign({ hash })
  }

  return {
    /** Ether at the entry point, which pays for the operations of an account. */
    async deposit(address: Address): Promise<void> {
      const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [address] })
      await sender.send(version.address, data, parseEther('1'))
    },
    /** Lets the bundler estimate, signs, and sends; the hash of the operation. */
    async send(operation: Operation): Promise<Hex> {
      const drafted = await draft(operation)
      const gas = await bundler.call<Record<(typeof gasMembers)[number], Hex>>(
        'eth_estimateUserOperationGas',
        drafted,
        version.address,
      )
      const known = { ...drafted, ...Object.fromEntries(gasMembers.map((name) => [name, gas[name]])) }
      const signature = await sign(known as Parameters<typeof sign>[0])
      return bundler.call<Hex>('eth_sendUserOperation', { ...known, signature }, version.address)
    },
    /** Whether it succeeded, once it is in a block. */
    async outcomeOf(hash: Hex): Promise<boolean> {
      const receipt = await eventually('the operation is in a block', () =>
        bundler.call<{ success: boolean } | null>('eth_getUserOperationReceipt', hash),
      )
      return receipt.success
    },
  }
}
