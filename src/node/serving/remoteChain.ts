import { RpcError } from '../../rpc/protocol/fault.ts'
import type { Batches } from './batches.ts'
import type { ChainSide, FromServers, RemoteChain, ToServers } from './messages.ts'

type Answer = Extract<ToServers, { kind: 'answer' | 'refusal' | 'failure' }>

/** Questions to the thread of the chain. */
export interface Questions {
  readonly remote: RemoteChain
  onAnswer(message: Answer): void
}

interface Asked {
  resolve(this: void, value: never): void
  reject(this: void, error: Error): void
}

/** Asks the thread of the chain; answers come in any order. */
export function createRemoteChain(out: Batches<FromServers>): Questions {
  const asked = new Map<number, Asked>()
  let lastId = 0

  function ask<K extends keyof ChainSide>(what: K): RemoteChain[K] {
    const question = (...args: readonly unknown[]) =>
      new Promise<never>((resolve, reject) => {
        const id = ++lastId
        asked.set(id, { resolve, reject })
        out.put({ kind: 'ask', id, what, args })
      })
    return question as RemoteChain[K]
  }

  return {
    remote: {
      call: ask('call'),
      peerCount: ask('peerCount'),
      blocksBehind: ask('blocksBehind'),
      state: ask('state'),
      entries: ask('entries'),
      statistics: ask('statistics'),
      submit: ask('submit'),
      minGasPrice: ask('minGasPrice'),
      syncStatus: ask('syncStatus'),
      maySee: ask('maySee'),
    },
    onAnswer(message) {
      const { id } = message
      const one = asked.get(id)
      asked.delete(id)
      if (message.kind === 'answer') one?.resolve(message.value as never)
      else one?.reject(message.kind === 'refusal' ? new RpcError(message.fault) : new Error(message.message))
    },
  }
}
