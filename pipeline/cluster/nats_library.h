// The functions of NATS's C client that the files nats_*.cc call, found when they are first needed.
//
// The program is not linked with the library: it would load OpenSSL for every message that `filter` judges.
// Only a daemon that follows a log needs it, so it is loaded then. Used by NatsLink and what has one.
// Thread-safety: Get from any thread.
#pragma once

#include <nats/nats.h>

#include "pipeline/error.h"

namespace thresher::pipeline {

// X(function)
#define THRESHER_NATS_FUNCTIONS(X)           \
  X(nats_GetLastError)                       \
  X(natsStatus_GetText)                      \
  X(natsOptions_Create)                      \
  X(natsOptions_Destroy)                     \
  X(natsOptions_SetServers)                  \
  X(natsOptions_SetName)                     \
  X(natsOptions_SetTimeout)                  \
  X(natsOptions_SetMaxReconnect)             \
  X(natsOptions_SetReconnectWait)            \
  X(natsOptions_SetPingInterval)             \
  X(natsOptions_SetMaxPingsOut)              \
  X(natsOptions_SetErrorHandler)             \
  X(natsOptions_SetSecure)                   \
  X(natsOptions_LoadCATrustedCertificates)   \
  X(natsOptions_SetUserCredentialsFromFiles) \
  X(natsConnection_Connect)                  \
  X(natsConnection_Destroy)                  \
  X(natsConnection_Status)                   \
  X(natsConnection_GetLastError)             \
  X(natsConnection_GetMaxPayload)            \
  X(natsConnection_JetStream)                \
  X(natsConnection_RequestString)            \
  X(natsSubscription_Fetch)                  \
  X(natsSubscription_Unsubscribe)            \
  X(natsSubscription_Destroy)                \
  X(natsMsgList_Destroy)                     \
  X(natsMsg_GetMetaData)                     \
  X(natsMsg_GetData)                         \
  X(natsMsg_GetDataLength)                   \
  X(natsMsg_Destroy)                         \
  X(natsSubscription_GetConsumerInfo)        \
  X(jsConsumerInfo_Destroy)                  \
  X(jsMsgMetaData_Destroy)                   \
  X(jsOptions_Init)                          \
  X(jsPubOptions_Init)                       \
  X(jsSubOptions_Init)                       \
  X(jsStreamConfig_Init)                     \
  X(jsStreamInfo_Destroy)                    \
  X(jsPubAck_Destroy)                        \
  X(jsCtx_Destroy)                           \
  X(js_AddStream)                            \
  X(js_UpdateStream)                         \
  X(js_GetStreamInfo)                        \
  X(js_DeleteMsg)                            \
  X(js_Publish)                              \
  X(js_PullSubscribe)                        \
  X(kvConfig_Init)                           \
  X(js_CreateKeyValue)                       \
  X(js_KeyValue)                             \
  X(kvStore_Get)                             \
  X(kvStore_CreateString)                    \
  X(kvStore_PutString)                       \
  X(kvStore_Watch)                           \
  X(kvStore_Destroy)                         \
  X(kvWatchOptions_Init)                     \
  X(kvWatcher_Next)                          \
  X(kvWatcher_Destroy)                       \
  X(kvEntry_ValueString)                     \
  X(kvEntry_Created)                         \
  X(kvEntry_Destroy)

struct NatsLibrary {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name is declared.
#define THRESHER_NATS_MEMBER(function) decltype(&::function) function = nullptr;
  THRESHER_NATS_FUNCTIONS(THRESHER_NATS_MEMBER)
#undef THRESHER_NATS_MEMBER

  // kConfig if it is not installed. It stays loaded.
  static Result<const NatsLibrary*> Get();
};

}  // namespace thresher::pipeline
