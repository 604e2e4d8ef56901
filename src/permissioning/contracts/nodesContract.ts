import { callContract } from '../../execution/callContract.ts'
import type { Enode } from '../../net/enode.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { Verdict } from '../rules.ts'
import { type Answers, boolAnswers, decodeAnswer, maskAnswers } from './decodeAnswers.ts'
import { encodeConnectionAllowed, encodeNodeAllowed } from './encodeCalls.ts'
import type { AtHead } from './headEvm.ts'

/** The versions of the interface that contracts for nodes have. */
export type NodesInterface = 1 | 2

/** Whether there is a version of the interface with this number. */
export function isNodesInterface(version: number): version is NodesInterface {
  return version === 1 || version === 2
}

/** What a contract says of a connection, and the gas of its answer. */
export interface NodesAnswer {
  readonly verdict: Verdict
  readonly gas: bigint
}

/** Asks a contract, on the state of the head, whether one node may connect to another. */
export type NodesContract = (source: Enode, destination: Enode) => NodesAnswer

/** A contract of either version of the interface; where nothing is at the address, each answer is unclear. */
export function createNodesContract(contract: Address, version: NodesInterface, atHead: AtHead): NodesContract {
  const ask = (data: Uint8Array, answers: Answers): NodesAnswer =>
    atHead((evm, block) => {
      const { output, gas } = callContract(evm, block, contract, data)
      return { verdict: decodeAnswer(output, answers), gas }
    })

  if (version === 1) return (source, destination) => ask(encodeConnectionAllowed(source, destination), maskAnswers)
  return (source, destination) => {
    const first = ask(encodeNodeAllowed(source), boolAnswers)
    if (first.verdict !== 'allowed') return first
    const { verdict, gas } = ask(encodeNodeAllowed(destination), boolAnswers)
    return { verdict, gas: first.gas + gas }
  }
}
