{{- define "quoin.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end -}}

{{- define "quoin.image" -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end -}}

{{- define "quoin.network" -}}{{ .Values.existingNetwork | default (printf "%s-network" (include "quoin.name" .)) }}{{- end -}}

{{- define "quoin.selector" -}}
app.kubernetes.io/name: quoin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quoin.labels" -}}
{{ include "quoin.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "quoin.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "quoin.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* What a StatefulSet of validators and one of readers have alike: root, role, values, args, ports and extra mounts. */ -}}
{{- define "quoin.nodes" -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "quoin.name" $root) .role -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name }}
  labels: {{- include "quoin.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  serviceName: {{ $name }}
  {{- if .replicas }}
  replicas: {{ .replicas }}
  {{- end }}
  podManagementPolicy: Parallel
  selector:
    matchLabels: {{- include "quoin.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels: {{- include "quoin.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations: { prometheus.io/scrape: "true", prometheus.io/port: "9545", prometheus.io/path: /metrics }
    spec:
      terminationGracePeriodSeconds: 60
      automountServiceAccountToken: false
      securityContext: {{- include "quoin.podSecurity" $root | nindent 8 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchLabels: {{- include "quoin.selector" $root | nindent 20 }}
                    app.kubernetes.io/component: {{ .role }}
      containers:
        - name: quoin
          image: {{ include "quoin.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args:
            - --genesis-file=/network/genesis.json
            - --static-nodes-file=/network/static-nodes.json
            - --data-path=/data
            - --Xdns-enabled
            - --Xdns-update-enabled
            - --p2p-host=$(POD_IP)
            - --discovery-enabled=false
            - --rpc-http-enabled
            - --rpc-http-host=0.0.0.0
            - --host-allowlist=*
            - --metrics-enabled
            - --metrics-host=0.0.0.0
            - --min-gas-price=0
            - --log-format=json
            {{- range concat .args .values.args }}
            - {{ . }}
            {{- end }}
          env:
            - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
            - { name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
          ports:
            - { name: p2p, containerPort: 30303, protocol: TCP }
            - { name: metrics, containerPort: 9545 }
            {{- range .ports }}
            - { name: {{ .name }}, containerPort: {{ .port }} }
            {{- end }}
          # The first start of a long chain, and one after a crash, take their time.
          startupProbe: { httpGet: { path: /liveness, port: json-rpc }, periodSeconds: 5, failureThreshold: 120 }
          livenessProbe: { httpGet: { path: /liveness, port: json-rpc }, periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 4 }
          readinessProbe: { httpGet: { path: {{ .readiness | quote }}, port: json-rpc }, periodSeconds: 10, timeoutSeconds: 5 }
          resources: {{- toYaml .values.resources | nindent 12 }}
          securityContext: {{- include "quoin.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: network, mountPath: /network, readOnly: true }
            - { name: tmp, mountPath: /tmp }
            {{- if .keys }}
            - { name: keys, mountPath: /keys/key, subPathExpr: $(POD_NAME), readOnly: true }
            {{- end }}
      volumes:
        - { name: network, configMap: { name: {{ include "quoin.network" $root }} } }
        - { name: tmp, emptyDir: {} }
        {{- if .keys }}
        - { name: keys, secret: { secretName: {{ include "quoin.name" $root }}-keys, defaultMode: 0400 } }
        {{- end }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .values.storage.className }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ .values.storage.size }} } }
{{- end -}}

{{- /* A Job that runs the script of the chart: root, step, hooks, weight. */ -}}
{{- define "quoin.job" -}}
{{- $root := .root -}}
{{- $name := include "quoin.name" $root -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $name }}-{{ .step }}
  labels: {{- include "quoin.labels" $root | nindent 4 }}
  annotations:
    helm.sh/hook: {{ .hooks }}
    helm.sh/hook-weight: "0"
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 2
  template:
    metadata:
      labels: {{- include "quoin.labels" $root | nindent 8 }}
        app.kubernetes.io/component: keeper
    spec:
      restartPolicy: Never
      serviceAccountName: {{ $name }}-keeper
      securityContext: {{- include "quoin.podSecurity" $root | nindent 8 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: keeper
          image: {{ include "quoin.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: [node, /scripts/keeper.mjs, {{ .step }}]
          env:
            - { name: NODE_EXTRA_CA_CERTS, value: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt }
          securityContext: {{- include "quoin.containerSecurity" $root | nindent 12 }}
          resources: { requests: { cpu: 100m, memory: 128Mi }, limits: { memory: 512Mi } }
          volumeMounts:
            - { name: scripts, mountPath: /scripts, readOnly: true }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - { name: scripts, configMap: { name: {{ $name }}-keeper } }
        - { name: tmp, emptyDir: {} }
{{- end -}}
