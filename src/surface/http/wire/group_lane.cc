#include "surface/http/wire/group_lane.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include <boost/asio/post.hpp>

namespace alfred::http {

std::vector<HttpResponse> HttpHandler::answer_all(std::span<const HttpRequest* const> requests) {
  std::vector<HttpResponse> out;
  out.reserve(requests.size());
  for (const HttpRequest* const request : requests) out.push_back(answer(*request));
  return out;
}

void GroupLane::put(Asked asked) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(asked));
    if (is_working_) return;
    is_working_ = true;
  }
  boost::asio::post(loop_.io(), [this] { begin(); });
}

void GroupLane::begin() {
  bool is_here = false;
  {
    const std::lock_guard lock(mutex_);
    const bool is_alone = waiting_.size() == 1;
    is_here = is_alone && elsewhere_ == 0;
    if (is_alone && elsewhere_ > 0) --elsewhere_;
  }
  if (is_here) return answer_here();
  boost::asio::post(thread_.executor(), [this] { work(); });
}

void GroupLane::answer_here() {
  Group group = take();
  Answers answers;
  const bool is_here = loop_.aside([&] { answers = answered(group); });
  bool has_more = false;
  {
    const std::lock_guard lock(mutex_);
    has_more = is_working_ = !waiting_.empty();
    if (!is_here) elsewhere_ = kElsewhere;
  }
  if (has_more) boost::asio::post(thread_.executor(), [this] { work(); });
  if (is_here)
    group.front().done(std::move(answers.front()));
  else
    give(std::move(group), std::move(answers));
}

void GroupLane::give(Group group, Answers answers) {
  boost::asio::post(loop_.io(), [group = std::move(group), answers = std::move(answers)]() mutable {
    for (std::size_t i = 0; i < group.size(); ++i) group[i].done(std::move(answers[i]));
  });
}

GroupLane::Group GroupLane::take() {
  const std::lock_guard lock(mutex_);
  const auto goes_now = [&](bool between) {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const Asked& one) { return one.goes_between == between; });
  };
  was_between_ = goes_now(true) && !(was_between_ && goes_now(false));
  Group out;
  Group left;
  for (Asked& one : waiting_)
    (one.goes_between == was_between_ && out.size() < most_ ? out : left).push_back(std::move(one));
  waiting_ = std::move(left);
  is_working_ = !out.empty();
  return out;
}

GroupLane::Answers GroupLane::answered(const Group& group) {
  std::vector<const HttpRequest*> requests;
  requests.reserve(group.size());
  for (const Asked& one : group) requests.push_back(one.request.get());
  try {
    return handler_.answer_all(requests);
  } catch (const std::exception&) {  // of third-party code, or no memory
    const Refusal refusal{500, "Alfred could not answer this. Nothing is half done; try again."};
    Answers out;
    for (std::size_t i = 0; i < group.size(); ++i) out.push_back(handler_.refuse(refusal));
    return out;
  }
}

void GroupLane::work() {
  for (Group group = take(); !group.empty(); group = take()) {
    Answers answers = answered(group);
    give(std::move(group), std::move(answers));
  }
}

}  // namespace alfred::http
