import type { ServerResponse } from 'node:http'
import { sendText } from '../../http/sendText.ts'
import type { Access } from './gate.ts'
import type { HealthPort } from './health.ts'
import type { NetworkState } from './networkState.ts'

/** Milliseconds that the thread of the chain has to answer: what hangs must be said in time. */
const answerTime = 3000
/** Who may call this method may see the state of the network. */
const method = 'net_peerCount'

const hungText = 'the node hangs: the thread of its chain does not answer'

/** A node whose own thread gives no answer. */
const hung: NetworkState = {
  status: 'silent',
  level: 'error',
  summary: hungText,
  address: '',
  head: 0,
  secondsSinceBlock: 0,
  expectedPeriod: undefined,
  period: undefined,
  validators: undefined,
  peers: undefined,
  problems: [
    {
      code: 'silent',
      level: 'error',
      text: hungText,
      advice: 'look at its log, at the load of its machine, and at its disk',
      about: undefined,
    },
  ],
  nodes: [],
}

/** The verdict, or that there is none in so many milliseconds. */
export async function stateInTime(port: Pick<HealthPort, 'state'>, time = answerTime): Promise<NetworkState> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<NetworkState>((resolve) => {
    timer = setTimeout(resolve, time, hung)
  })
  try {
    return await Promise.race([port.state(), late])
  } finally {
    clearTimeout(timer)
  }
}

export interface StateRequest {
  readonly access: Access
  readonly authorization: string | undefined
  /** The HTTP status where something is wrong. */
  readonly badStatus: 200 | 503
}

/** Answers a request for the state of the network; who may not see it learns only how bad it is. */
export async function sendState(
  response: ServerResponse,
  port: Pick<HealthPort, 'state'>,
  { access: { authority }, authorization, badStatus }: StateRequest,
): Promise<void> {
  const [state, caller] = await Promise.all([stateInTime(port), authority?.callerOf(authorization)])
  const shown = !authority || caller?.may(method) ? state : { status: state.status, level: state.level }
  if (response.destroyed) return
  response.setHeader('Cache-Control', 'no-store')
  sendText(response, state.level === 'error' ? badStatus : 200, 'application/json', JSON.stringify(shown, undefined, 2))
}
