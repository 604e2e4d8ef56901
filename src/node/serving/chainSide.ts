import { methods } from '../../rpc/methods/all.ts'
import { RpcError } from '../../rpc/protocol/fault.ts'
import { faultTable } from '../../rpc/protocol/faultTable.ts'
import { createCallRunner } from '../../rpc/protocol/runCalls.ts'
import { createTurns } from '../../system/turns.ts'
import type { ConnectedNode } from '../connectParts.ts'
import type { NodePorts } from '../createRpcPorts.ts'
import { createHealthPort } from '../ports/healthPort.ts'
import type { ChainSide, FromServers, ToServers } from './messages.ts'
import { logInternalErrors } from './serveRequests.ts'

/** Answers the servers' questions. */
export interface ChainSideServer {
  /** Methods that servers can have run. */
  readonly served: readonly string[]
  answer(question: Extract<FromServers, { kind: 'ask' }>): void
}

/** What the thread of the chain does for servers in another one; `put` sends them an answer. */
export function createChainSide(
  { config, log, current, p2p, peerNetwork, state }: ConnectedNode,
  ports: NodePorts,
  put: (message: ToServers) => void,
): ChainSideServer {
  const health = createHealthPort(p2p?.peers, peerNetwork.sync, state)
  const runner = createCallRunner({
    ...{ methods, ports },
    faults: faultTable,
    onInternalError: logInternalErrors(log),
    limits: { gasCap: config['rpc-gas-cap'], time: config['Xhttp-timeout-seconds'] * 1000 },
    hold: current.hold,
    turns: createTurns(),
  })
  const side: ChainSide = {
    call: runner.run,
    peerCount: health.peerCount,
    blocksBehind: health.blocksBehind,
    state: health.state,
    entries: () => [...ports.pool.entries()].map(({ tx }) => ({ tx })),
    statistics: ports.pool.statistics,
    submit: ports.pool.submit,
    minGasPrice: ports.mining.minGasPrice,
    syncStatus: ports.sync.status,
    maySee: (group, asker) => ports.privateLogs?.of(asker).maySee(group) ?? false,
  }

  function refuse(id: number, error: unknown): void {
    if (error instanceof RpcError) put({ kind: 'refusal', id, fault: error.at })
    else put({ kind: 'failure', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }

  return {
    served: runner.names,
    answer({ id, what, args }) {
      const send = (value: unknown) => put({ kind: 'answer', id, value })
      try {
        // Each question comes with the arguments of its own kind.
        const answer = (side[what] as (...all: readonly unknown[]) => unknown)(...args)
        if (answer instanceof Promise) answer.then(send).catch((error: unknown) => refuse(id, error))
        else send(answer)
      } catch (error) {
        refuse(id, error)
      }
    },
  }
}
