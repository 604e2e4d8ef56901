/** What of the objects of the chart the test reads. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
}

export interface Container {
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } }
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPathExpr?: string }[]
}

export interface PodSpec {
  readonly containers: readonly [Container]
  readonly volumes: readonly {
    readonly name: string
    readonly configMap?: { readonly name: string }
    readonly secret?: { readonly secretName: string }
  }[]
}

export interface StatefulSet extends Manifest {
  readonly spec: {
    readonly replicas: number
    readonly serviceName: string
    readonly template: { readonly spec: PodSpec }
  }
}

export interface Job extends Manifest {
  readonly spec: { readonly template: { readonly spec: PodSpec } }
}

export interface ConfigMap extends Manifest {
  readonly data: Readonly<Record<string, string>>
}

export interface Role extends Manifest {
  readonly rules: readonly {
    readonly resources: readonly string[]
    readonly resourceNames?: readonly string[]
    readonly verbs: readonly string[]
  }[]
}

export const hookOf = ({ metadata }: Manifest): string | undefined => metadata.annotations?.['helm.sh/hook']
