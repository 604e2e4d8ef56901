/** The error of a reply. */
export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}
