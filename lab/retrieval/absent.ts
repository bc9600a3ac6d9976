/** Questions about things that are in none of the benchmark's repositories, by the repository that is asked. Our own text. */

/** Five questions a repository; right is the answer that it is not there. */
export const ABSENT: Readonly<Record<string, readonly string[]>> = {
  express: [
    "how are passwords hashed with bcrypt before they are stored",
    "where are GraphQL subscriptions resolved",
    "how are database migrations rolled back",
    "where is the queue for video transcoding scheduled",
    "how are shaders compiled for the graphics card",
  ],
  flask: [
    "where are Kubernetes pods restarted after a crash",
    "how is the neural network trained on a GPU",
    "how are invoices rendered as PDF documents",
    "where is the Bluetooth pairing of a device handled",
    "how are one-time codes sent by SMS",
  ],
  fmtlib: [
    "where are HTTP redirects followed",
    "how is the shopping cart emptied after the checkout",
    "how are Kafka partitions rebalanced between consumers",
    "where is the OAuth refresh token renewed",
    "how are thumbnails of photos generated",
  ],
  gin: [
    "how is the blockchain ledger verified",
    "where are push notifications delivered to phones",
    "how are spreadsheets imported from Excel",
    "how is recorded speech transcribed into text",
    "where are refunds issued with Stripe",
  ],
  gson: [
    "how are websocket frames masked",
    "where does the optimizer reorder SQL joins",
    "how is the mouse cursor drawn on the canvas",
    "how are emails delivered by SMTP",
    "where are Docker images pulled from a registry",
  ],
  ktor: [
    "how are chess positions evaluated",
    "where are PostgreSQL replication slots created",
    "how is the heat map of the dashboard coloured",
    "how are LDAP groups synchronised with departments",
    "where are barcode labels sent to the printer",
  ],
  monolog: [
    "how are sprites animated on the screen",
    "where is the bytecode of the virtual machine verified",
    "how are audio samples mixed into one track",
    "how are map tiles cached for offline navigation",
    "where are seats of a flight reserved",
  ],
  "newtonsoft-json": [
    "how are TCP sockets kept alive by heartbeats",
    "where is the leader of the Raft cluster elected",
    "how are screenshots compared pixel by pixel",
    "where are translations of the menu loaded for the locale switcher",
    "how is the robot arm calibrated",
  ],
  phoenix: [
    "how are medical appointments rescheduled",
    "where is the Terraform plan applied",
    "how are duplicate photos detected by perceptual hashing",
    "where are satellite orbits propagated",
    "how does the spell checker suggest corrections",
  ],
  serde: [
    "how is a database connection pool drained",
    "where are login attempts throttled by address",
    "how are CSS selectors matched against the document",
    "how is the inventory of the warehouse counted",
    "where are cron jobs triggered",
  ],
  "telescope.nvim": [
    "how are tax rates applied to an invoice",
    "where is the TLS certificate renewed with ACME",
    "how are protein sequences aligned",
    "where are Redis replicas promoted",
    "how is the thermostat regulated",
  ],
  zod: [
    "how are uploads resumed after the network dropped",
    "where is the Elasticsearch cluster reindexed",
    "how are subscriptions billed at the end of the month",
    "where is the physics engine stepped",
    "how are garbage collection pauses measured",
  ],
};
