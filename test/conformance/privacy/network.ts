/** The networks that flows were recorded on. */
export const privacyNetworks = ['standard', 'flexible', 'tenants'] as const
export type PrivacyNetwork = (typeof privacyNetworks)[number]

/** Where to start a network. */
export interface NetworkPlace {
  /** The folder of the recorded flows, with the program that started the network. */
  readonly source: string
  readonly network: PrivacyNetwork
  /** An empty folder for the nodes. */
  readonly folder: string
  /** The first of `portsPerNetwork` free ports. */
  readonly port: number
}

/** A network that runs. */
export interface RunningNetwork {
  /** What the runner of the flows needs to know about it. */
  readonly args: readonly string[]
  stop(): Promise<void>
}

/** Each node of a network takes ten ports. */
export const portsPerNetwork = 50
