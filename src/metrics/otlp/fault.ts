import { Fault } from '../../primitives/fault.ts'

/** A variable of the environment that says where telemetry goes is wrong. */
export interface OtlpFault {
  readonly code: 'OTLP_VARIABLE'
  readonly name: string
  readonly reason: string
}

/** The message is one line for the operator. */
export class OtlpError extends Fault<OtlpFault> {
  constructor(at: OtlpFault) {
    super(at, undefined, `Environment variable ${at.name}: ${at.reason}`)
  }
}
